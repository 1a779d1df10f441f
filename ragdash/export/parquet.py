"""Rows as Parquet: a typed schema, exact figures as text and as DECIMAL(38, 4) where they fit."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from decimal import Decimal, localcontext
from itertools import islice
from typing import TYPE_CHECKING, Any

from ragdash.export.columns import Type
from ragdash.export.sheet import keepable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from ragdash.export.columns import Column
    from ragdash.export.records import Record

_PLACES, _DIGITS = Decimal("0.0001"), 38
_ROWS = 1_000
_OPINION = {"number": "int64", "reviewer": "text", "at": "time", "version": "int32"}
_STRUCTS: dict[Type, dict[str, str]] = {
    Type.GOLDS: {
        **{"value": "text", "amount": "amount", "unit": "text", "metric": "text"},
        **{"scope": "text", "attribution": "text", "period": "text", "tolerance": "text"},
        "decimals": "int32",
    },
    Type.EVIDENCE: {"doc_id": "text", "page": "int32"},
    Type.CITATIONS: {
        **{"text": "text", "start_at": "int32", "end_at": "int32", "company": "text"},
        **{"label": "text", "pages": "pages", "well_formed": "flag"},
    },
    Type.REVIEWS: {
        **_OPINION,
        **{"verdict": "text", "flag": "flag", "note": "text", "rule_layer": "text"},
        **{"supersedes": "int64", "superseded": "flag"},
    },
    Type.CHECKS: {
        **_OPINION,
        **{"fit": "text", "confidence": "text", "asked": "text", "gold": "text"},
        **{"answered": "text", "doc_id": "text", "page": "int32", "note": "text", "blind": "flag"},
        **{"rule": "text", "outcome": "text", "answer_digest": "text"},
        **{"supersedes": "int64", "superseded": "flag"},
    },
    Type.REPEATS: {"value": "real", "status": "text", "reason": "text"},
}


def written(columns: Sequence[Column], records: Iterable[Record]) -> Iterator[bytes]:
    """Yield a Parquet file in pieces: a row group for every 1,000 rows, then the footer."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(column.name, _arrow(column.type)) for column in columns])
    pieces = _Pieces()
    with pq.ParquetWriter(pa.PythonFile(pieces, "w"), schema, compression="zstd") as writer:
        left = iter(records)
        while batch := list(islice(left, _ROWS)):
            writer.write_table(_table(columns, batch, schema))
            yield pieces.taken()
    yield pieces.taken()


class _Pieces(io.RawIOBase):
    """A file that gives away what has been written to it."""

    def __init__(self) -> None:
        super().__init__()
        self._held: list[bytes] = []
        self._at = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data: Any) -> int:
        self._held.append(bytes(data))
        self._at += len(self._held[-1])
        return len(self._held[-1])

    def taken(self) -> bytes:
        whole = b"".join(self._held)
        self._held = []
        return whole


def _table(columns: Sequence[Column], batch: list[Record], schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    arrays = [
        pa.array([_plain(column.of(record), column.type) for record in batch], of.type)
        for column, of in zip(columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _arrow(of: Type) -> pa.DataType:
    import pyarrow as pa

    if of is Type.TEXTS:
        return pa.list_(pa.string())
    if of in _STRUCTS:
        return pa.list_(pa.struct([(name, _simple(kind)) for name, kind in _STRUCTS[of].items()]))
    return _simple({Type.WHOLE: "int32"}.get(of, of.value))


def _simple(kind: str) -> pa.DataType:
    import pyarrow as pa

    return {
        "text": pa.string(),
        "flag": pa.bool_(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "real": pa.float64(),
        "time": pa.timestamp("us", tz="UTC"),
        "amount": pa.decimal128(_DIGITS, 4),
        "pages": pa.list_(pa.int32()),
    }[kind]


def _plain(value: Any, of: Type) -> Any:
    if value is None:
        return None
    if of in _STRUCTS:
        return [_struct(one, _STRUCTS[of]) for one in value]
    if of is Type.TEXTS:
        return [keepable(one) for one in value]
    return _one(value, of.value)


def _struct(one: Record, fields: dict[str, str]) -> Record:
    return {
        name: _amount(one["value"]) if kind == "amount" else _one(one[name], kind)
        for name, kind in fields.items()
    }


def _one(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind == "text":
        return keepable(value)
    return _instant(value) if kind == "time" else value


def _instant(text: str) -> datetime | None:
    """Return a time in UTC; None where an older import kept what is none, as jsonl still shows."""
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _amount(text: str) -> Decimal | None:
    """Return an exact figure, None where four places or 38 digits do not hold it."""
    value = Decimal(text)
    with localcontext(prec=_DIGITS):
        if value.adjusted() >= _DIGITS - 4:
            return None
        found = value.quantize(_PLACES)
    return found if found == value else None
