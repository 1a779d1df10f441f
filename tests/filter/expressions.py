"""Random filters, random rows, and what a filter means in plain Python."""

from __future__ import annotations

import operator
import random
import re
import unicodedata

from hypothesis import strategies as st

from ragdash.filter.fields import FIELDS, JUDGE, SIGNALS, Kind, metric_of
from ragdash.filter.tree import Every, Expr, Not, Op, Phrase, Some, Term, every, negated, some
from ragdash.filter.values import STATUSES

TEXTS = st.text(
    alphabet=st.sampled_from("茅台净利润５5aAＡß%_\\\"'() OR:<-，,") | st.characters(codec="utf-8"),
    min_size=1,
    max_size=6,
).filter(lambda t: t.strip() and not any(unicodedata.category(c) in ("Cc", "Cs") for c in t))
NUMBERS = st.sampled_from(["0", "0.25", "0.5", "1", "2", "5", "-1", "100"])
STATES = list(FIELDS["is"].values)
STAGED = ("lost", "kept")
NEVER_MISSING = (*STAGED, "flips")
HELD = [
    f.name
    for f in FIELDS.values()
    if f.kind not in (Kind.STATE, Kind.PRESENCE) and f.name not in NEVER_MISSING
]
STAGES = ["corpus", "indexed", "candidates", "reranked", "context", "used", "right"]


def _once(values: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def some_of(values: st.SearchStrategy[str], most: int = 3) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(values, min_size=1, max_size=most).map(_once)


@st.composite
def one_test(draw: st.DrawFn) -> Expr:
    found = FIELDS[draw(st.sampled_from([n for n in FIELDS if n != "no"]))]
    match found.kind:
        case Kind.CODE | Kind.STATE:
            return Term(found.name, Op.IS, draw(some_of(st.sampled_from(list(found.values)))))
        case Kind.PRESENCE:
            return Term("has", Op.IS, draw(some_of(st.sampled_from(HELD))))
        case Kind.TEXT:
            return Term(found.name, draw(st.sampled_from([Op.IS, Op.EQUAL])), draw(some_of(TEXTS)))
        case Kind.ID:
            ids = st.sampled_from(["q1", "q10", "Q*", "*", "dense", "re_all", "a%b", "below_top_k"])
            return Term(found.name, Op.IS, draw(some_of(ids | TEXTS)))
        case Kind.METRIC if draw(st.booleans()):
            return Term(found.name, Op.IS, draw(some_of(st.sampled_from(list(STATUSES)))))
    op = draw(st.sampled_from([Op.EQUAL, Op.LESS, Op.AT_MOST, Op.MORE, Op.AT_LEAST]))
    return Term(found.name, op, draw(some_of(NUMBERS, 3 if op is Op.EQUAL else 1)))


LEAVES = st.builds(Phrase, TEXTS) | one_test()
FILTERS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(negated),
        st.lists(inner, min_size=1, max_size=3).map(every),
        st.lists(inner, min_size=1, max_size=3).map(some),
    ),
    max_leaves=8,
)

COLUMNS = {
    "mode": "VARCHAR", "question_id": "VARCHAR", "outcome": "VARCHAR", "rule_outcome": "VARCHAR",
    "layer": "VARCHAR", "rule_layer": "VARCHAR", "caliber": "VARCHAR", "verdict": "VARCHAR",
    "reviewed": "BOOLEAN", "checked": "BOOLEAN", "disputed": "BOOLEAN", "flag": "BOOLEAN",
    "reviewer": "VARCHAR", "change": "VARCHAR",
    "flaky": "BOOLEAN", "failed": "BOOLEAN", "seen": "BOOLEAN", "answerable": "BOOLEAN",
    "answer_status": "VARCHAR", "reason": "VARCHAR", "company": "VARCHAR", "period": "VARCHAR",
    "lang": "VARCHAR", "kind": "VARCHAR", "question": "VARCHAR", "answer": "VARCHAR",
    "gold": "VARCHAR", "doc": "VARCHAR", "rank": "INTEGER", "dense_rank": "INTEGER",
    "bm25_rank": "INTEGER", "fused_rank": "INTEGER", "rerank_rank": "INTEGER",
    "seconds": "DOUBLE", "citations": "BIGINT", "flips": "VARCHAR[]",
}  # fmt: skip
WORDS = ["贵州茅台", "净利润 5", "ＡＡＰＬ Apple", "1,476.94亿元", "Straße %", "a_b\\c", "", "5"]


def random_rows(seed: int, n: int) -> list[dict[str, object]]:
    """n rows as relation.py gives them, half of what may be missing missing."""
    rng = random.Random(seed)
    rows: list[dict[str, object]] = []
    for number in range(n):
        row: dict[str, object] = {}
        for name, of in COLUMNS.items():
            field = FIELDS.get(name)
            maybe = rng.random() < 0.5
            if of == "BOOLEAN":
                row[name] = maybe
            elif of in ("INTEGER", "BIGINT"):
                row[name] = rng.choice([0, 1, 2, 5, 6]) if maybe else None
            elif of == "VARCHAR[]":
                row[name] = rng.sample(list(FIELDS[name].values), rng.randint(0, 2))
            elif of == "DOUBLE":
                row[name] = rng.choice([0.25, 0.5, 5.0]) if maybe else None
            elif field is not None and field.kind is Kind.CODE:
                row[name] = rng.choice(list(field.values))
            else:
                row[name] = rng.choice(WORDS) if maybe else None
        row |= {"mode": rng.choice(["dense", "re_all", "RERANK"]), "question_id": f"q{number}"}
        row["answer_status"] = rng.choice(["answered", "refused", "error"])
        row["doc"] = f"\n{rng.choice(['600519-2023', 'AAPL', 'a'])}\nb\n"
        row["reason"] = rng.choice(["below_top_k", "a%b", None])
        row |= {
            "stage": rng.choice([None, "open", "no_qrels", *STAGES]),
            "correct": rng.random() < 0.5,
            "passed": rng.sample([*STAGES, "dense", "bm25"], rng.randint(0, 9)),
            "missed": rng.sample(["dense", "bm25"], rng.randint(0, 2)),
        }
        row["means"] = {
            name: (rng.choice([None, 0.0, 0.25, 0.5, 1.0]), rng.sample(list(STATUSES), 2))
            for f in FIELDS.values()
            if f.kind is Kind.METRIC and f.name != JUDGE and rng.random() < 0.5
            for name in [metric_of(f.name)]
        }
        rows.append(row)
    return rows


COMPARE = {
    Op.EQUAL: operator.eq, Op.LESS: operator.lt, Op.AT_MOST: operator.le,
    Op.MORE: operator.gt, Op.AT_LEAST: operator.ge,
}  # fmt: skip


def fold(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def holds(expr: Expr, row: dict[str, object]) -> bool | None:
    """True, false, or None where a number is missing (Kleene)."""
    match expr:
        case Phrase(text):
            return any(fold(text) in fold(str(row[c] or "")) for c in ("question", "answer"))
        case Not(of):
            found = holds(of, row)
            return None if found is None else not found
        case Every(parts):
            return _joined([holds(p, row) for p in parts], stop=False)
        case Some(parts):
            return _joined([holds(p, row) for p in parts], stop=True)
        case Term():
            return _test(expr, row)


def _joined(found: list[bool | None], *, stop: bool) -> bool | None:
    if stop in found:
        return stop
    return None if None in found else not stop


def _test(test: Term, row: dict[str, object]) -> bool | None:
    kind = FIELDS[test.field].kind
    value = row.get("question_id" if test.field == "id" else test.field)
    if kind is Kind.METRIC:
        return _metric(test, row)
    if test.field in STAGED:
        return any(_staged(test.field, code, row) for code in test.values)
    if kind is Kind.STATE:
        return any(_state(code, row) for code in test.values)
    if kind is Kind.PRESENCE:
        return any(_present(name, row) for name in test.values)
    if kind is Kind.NUMBER:
        if value is None:
            return None
        return any(COMPARE[test.op](value, float(v)) for v in test.values)
    if kind is Kind.CODE:
        return _code(test, value)
    text = fold(str(value or ""))
    if kind is Kind.ID:
        return any(_like(fold(v), text) for v in test.values)
    if test.op is Op.IS:
        return any(fold(v) in text for v in test.values)
    lines = text.split("\n") if test.field in ("doc", "reviewer") else [text]
    return any(fold(v) in lines for v in test.values)


def _code(test: Term, value: object) -> bool:
    if isinstance(value, list):
        return bool(set(value) & set(test.values))
    return (("no", "yes")[value] if isinstance(value, bool) else value) in test.values


def _like(pattern: str, text: str) -> bool:
    parts = [re.escape(part) for part in pattern.split("*")]
    return re.fullmatch(".*".join(parts), text, re.S) is not None


def _metric(test: Term, row: dict[str, object]) -> bool | None:
    means = row["means"]
    assert isinstance(means, dict)
    names = SIGNALS if test.field == JUDGE else [metric_of(test.field)]
    told = [means[name] for name in names if name in means]
    if test.op is Op.IS:
        return any(set(statuses) & set(test.values) for _, statuses in told)
    values = [mean for mean, _ in told if mean is not None]
    if not values:
        return None
    return any(COMPARE[test.op](mean, float(v)) for mean in values for v in test.values)


def _staged(field: str, code: str, row: dict[str, object]) -> bool:
    passed, missed = row["passed"], row["missed"]
    assert isinstance(passed, list)
    assert isinstance(missed, list)
    if field == "kept":
        return code in passed
    if code == "anyway":
        return bool(row["correct"]) and row["stage"] not in (None, "no_qrels")
    return row["stage"] == code or code in missed


def _state(code: str, row: dict[str, object]) -> bool:
    return {
        "answered": row["answer_status"] == "answered",
        "refused": row["answer_status"] == "refused",
        "answerable": bool(row["answerable"]),
        "unanswerable": not row["answerable"],
        "failed": bool(row["failed"]),
        "lost": row["layer"] != "none",
        "seen": bool(row["seen"]),
        "reviewed": bool(row["reviewed"]),
        "unreviewed": bool(row["failed"] and not row["reviewed"]),
        "flagged": bool(row["flag"]),
        "checked": bool(row["checked"]),
        "disputed": bool(row["disputed"]),
        "flaky": bool(row["flaky"]),
    }[code]


def _present(name: str, row: dict[str, object]) -> bool:
    kind = FIELDS[name].kind
    if kind is Kind.METRIC:
        means = row["means"]
        assert isinstance(means, dict)
        names = SIGNALS if name == JUDGE else [metric_of(name)]
        return any(means[n][0] is not None for n in names if n in means)
    value = row["question_id" if name == "id" else name]
    if isinstance(value, bool):
        return value
    if kind is Kind.CODE:
        return value not in ("none", "not_checked")
    return value is not None and str(value).strip("\n ") != ""
