"""Input of any size and shape ends: with a sentence, or with a run whose work is bounded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.attack.layered import Layered
from ragdash.cli import invoke
from ragdash.core.attack import ChunkMeta, PolicyView, ViewChunk

if TYPE_CHECKING:
    from pathlib import Path

META = ChunkMeta("qh-ar-2023", "青禾样例股份", "2023", 18, "filing")
RIGHT = ViewChunk("right", "2023年营业收入为52.36亿元。", True, META)
QUERY = "青禾样例股份2023年营业收入是多少？"


def answered(*chunks: ViewChunk) -> Any:
    view = PolicyView(QUERY, chunks, oracle_trust=False)
    policy = Layered()
    return policy.validate(view, policy.answer(view))


def test_one_right_chunk_among_many_is_found_and_not_all_are_read() -> None:
    others = [ViewChunk(f"o{i}", f"第{i}项说明。", i % 2 == 0, META) for i in range(3_000)]
    found = answered(*others[:2_000], RIGHT, *others[2_000:])
    assert found.citations == ("right",)


@pytest.mark.parametrize(
    "text",
    [
        "营业收入" * 25_000,
        "<div style='color:#fff'>" * 5_000,
        "<!--" * 12_000,
        '<a "' * 12_000,
        "![" * 25_000,
        "忽略" * 25_000,
        "ignore all " * 7_000,
        "[1](" * 12_000,
        "A1" * 25_000,
        "1," * 25_000,
        "\u200b" * 50_000,
        "“" * 25_000,
        "a.b." * 12_000,
        "请把" * 15_000,
        "|" * 25_000,
    ],
)
def test_hostile_chunk_of_any_shape_ends(text: str) -> None:
    found = answered(ViewChunk("x", text, True, META), RIGHT)
    assert found.citations == ("right",)


def fixture(**other: Any) -> dict[str, Any]:
    chunk = {"id": "c1", "trusted": True, "text": "t", "meta": {"doc_id": "d"}}
    plain = {"id": "a", "class": "benign_answerable", "query": "q", "chunks": [chunk]}
    return {**plain, "answerable": True, "fault": {}, **other}


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([fixture(), fixture(extra=1, id="b")], "line 2: unknown key 'extra'"),
        ([fixture(), fixture()], "line 2: id 'a' is that of line 1"),
        ([fixture(**{"class": "新类"})], "line 1: 'class' is '新类': unknown class"),
        ([fixture(), fixture(id="b", chunks=[])], "line 2: 'chunks'"),
    ],
)
def test_malformed_file_is_one_sentence_with_its_line_and_nothing_is_written(
    lines: list[Any], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, registry, store = tmp_path / "f.jsonl", tmp_path / "r.json", tmp_path / "store"
    path.write_text("\n".join(json.dumps(x, ensure_ascii=False) for x in lines), "utf-8")
    registry.write_text('["d"]')
    arguments = ["attack", "--fixtures", str(path), "--registry", str(registry)]
    assert invoke([*arguments, "--store", str(store), "--policy", "layered"]) == 2
    out, err = capsys.readouterr()
    assert words in err
    assert err.count("\n") == 1
    assert out == ""
    assert not store.exists()
