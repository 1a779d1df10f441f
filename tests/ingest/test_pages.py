from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ragdash.core.errors import InputError
from ragdash.ingest.pages import read_pages_file
from ragdash.ingest.problems import ProblemKind

if TYPE_CHECKING:
    from pathlib import Path


def pages_file(folder: Path, *rows: object) -> Path:
    path = folder / "pages.jsonl"
    path.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), encoding="utf-8")
    return path


def row(page: object, text: str, doc_id: str = "d") -> dict[str, object]:
    return {"doc_id": doc_id, "page": page, "text": text}


def test_pages_come_in_order_and_bare_ones_are_named(tmp_path: Path) -> None:
    path = pages_file(tmp_path, row(3, "营业收入\r\n1"), row(1, "Revenue 1,234"), row(2, " \n"))
    read = read_pages_file(path, "d", "pages.jsonl")
    assert [(p.page, p.text) for p in read.pages] == [(1, "Revenue 1,234"), (3, "营业收入\n1")]
    assert read.n_pages == 3
    assert [(p.kind, p.pages) for p in read.problems] == [(ProblemKind.NO_TEXT, (2,))]


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    path = pages_file(
        tmp_path,
        row(1, "a"),
        row(1, "b"),
        row(0, "c"),
        row("2", "d"),
        row(4, "e", doc_id="other"),
        {**row(5, "f"), "lang": "zh"},
    )
    with pytest.raises(InputError) as caught:
        read_pages_file(path, "d", "pages.jsonl")
    text = str(caught.value)
    for part in ("line 2: page 1 stands twice", "line 3:", "line 4:", "line 5: doc_id is 'other'"):
        assert part in text
    assert "line 6: unknown key 'lang'" in text
    assert "line 1:" not in text


def test_a_file_without_text_is_empty(tmp_path: Path) -> None:
    (problem,) = read_pages_file(pages_file(tmp_path, row(1, "")), "d", "p.jsonl").problems
    assert problem.kind is ProblemKind.EMPTY
