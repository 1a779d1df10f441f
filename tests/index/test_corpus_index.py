from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ragdash.core.errors import ConfigError, InputError, StoreError, StoreLocked
from ragdash.index import embeddings
from ragdash.index.corpus_index import build_index, extended, open_index
from ragdash.index.similarity import AskedOnce, IndexSimilarity

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["营业收入 1,476.94 亿元", "归母净利润 747 亿元", "Total net sales 394,328", "董事会会议"]


def _many(n: int) -> list[str]:
    return [f"第{i}段 营业收入 {i * 37},000.00 元 {'说明' * (i % 9)}" for i in range(n)]


def test_what_was_built_is_what_is_opened(tmp_path: Path, make_chunks, make_embedder) -> None:
    chunks, embedder = make_chunks(*TEXTS), make_embedder()
    built = build_index(tmp_path, chunks, embedder)
    opened = open_index(tmp_path, chunks, embedder.identity)
    query = embedder.encode_queries(["净利润"])[0]
    assert built.embedded == len(TEXTS)
    assert opened.chunks == tuple(chunks)
    assert opened.dense.search(query, 9) == built.dense.search(query, 9)
    for variant in ("lucene", "okapi"):
        assert opened.bm25(variant).search("净利润", 9) == built.bm25(variant).search("净利润", 9)
        assert opened.bm25(variant).search("1476.94", 1).positions == (0,)


def test_each_chunk_has_the_vector_of_its_own_text(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    chunks, embedder = make_chunks(*_many(300)), make_embedder()
    index = build_index(tmp_path, chunks, embedder)
    expected = embedder.encode_passages([chunk.indexed_text for chunk in chunks])
    np.testing.assert_array_equal(index.dense.vectors(range(300)), expected)


def test_a_second_call_embeds_nothing(tmp_path: Path, make_chunks, make_embedder) -> None:
    chunks = make_chunks(*TEXTS)
    build_index(tmp_path, chunks, make_embedder())
    again = make_embedder()
    assert build_index(tmp_path, chunks, again).embedded == 0
    assert again.asked == []


def test_a_changed_corpus_embeds_only_what_is_new(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    build_index(tmp_path, make_chunks(*TEXTS), make_embedder())
    embedder, changed = make_embedder(), make_chunks("新的一段", *reversed(TEXTS), "another one")
    index = build_index(tmp_path, changed, embedder)
    assert sorted(embedder.asked) == sorted(changed[i].indexed_text for i in (0, -1))
    texts = [chunk.indexed_text for chunk in changed]
    np.testing.assert_array_equal(index.dense.vectors(range(6)), embedder.encode_passages(texts))


def test_a_text_that_occurs_twice_is_embedded_once(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    embedder = make_embedder()
    index = build_index(tmp_path, make_chunks("重要提示", "净利润", "重要提示"), embedder)
    assert len(embedder.asked) == 2
    np.testing.assert_array_equal(index.dense.vectors([0]), index.dense.vectors([2]))


def test_an_interrupted_call_goes_on_where_it_stopped(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    chunks = make_chunks(*_many(3 * embeddings.BLOCK))
    stopped = make_embedder(fails_after=2 * embeddings.BLOCK)
    with pytest.raises(KeyboardInterrupt):
        build_index(tmp_path, chunks, stopped)
    with pytest.raises(InputError, match="has no index"):
        open_index(tmp_path, chunks, stopped.identity)
    seen: list[tuple[int, int]] = []
    embedder = make_embedder()
    index = build_index(tmp_path, chunks, embedder, lambda *step: seen.append(step))
    assert len(embedder.asked) == embeddings.BLOCK
    assert seen[-1] == (embeddings.BLOCK, embeddings.BLOCK)
    assert set(embedder.asked).isdisjoint(stopped.asked)
    expected = embedder.encode_passages([chunk.indexed_text for chunk in chunks])
    np.testing.assert_array_equal(index.dense.vectors(range(len(chunks))), expected)
    assert not list(tmp_path.rglob("blocks"))


def test_texts_are_embedded_longest_first(tmp_path: Path, make_chunks, make_embedder) -> None:
    embedder = make_embedder()
    build_index(tmp_path, make_chunks("x" * 9, "营业" * 50, "y" * 40), embedder)
    sizes = [len(text.encode()) for text in embedder.asked]
    assert sizes == sorted(sizes, reverse=True)


def test_another_model_than_the_corpuss_own_names_both(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    chunks = make_chunks(*TEXTS)
    build_index(tmp_path, chunks, make_embedder("a"))
    with pytest.raises(InputError) as caught:
        open_index(tmp_path, chunks, make_embedder("b").identity)
    said = str(caught.value)
    assert f"{tmp_path} was embedded by path:a (sha256:aaaaaaaaaaaa)" in said
    assert "the run asks for path:b (sha256:bbbbbbbbbbbb): ingest again" in said


def test_a_corpus_can_hold_the_vectors_of_two_models(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    chunks = make_chunks(*TEXTS)
    for name in "ab":
        build_index(tmp_path, chunks, make_embedder(name))
    for name in "ab":
        assert (
            open_index(tmp_path, chunks, make_embedder(name).identity).identity.spec
            == f"path:{name}"
        )


def test_a_corpus_that_was_never_indexed_says_what_to_do(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    with pytest.raises(InputError, match=r"has no index: ingest its manifest"):
        open_index(tmp_path, make_chunks(*TEXTS), make_embedder().identity)


def test_an_index_does_not_answer_for_other_chunks(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    build_index(tmp_path, make_chunks(*TEXTS), make_embedder())
    with pytest.raises(InputError, match="made for other chunks"):
        open_index(tmp_path, make_chunks(*reversed(TEXTS)), make_embedder().identity)


@pytest.mark.parametrize("name", ["vectors.npy", "offsets.npy", "vocabulary.json"])
@pytest.mark.parametrize("left", [0, 60, 150])
def test_a_file_that_was_cut_off_is_one_sentence(
    tmp_path: Path, make_chunks, make_embedder, name: str, left: int
) -> None:
    chunks = make_chunks(*TEXTS)
    build_index(tmp_path, chunks, make_embedder())
    path = next(tmp_path.rglob(name))
    path.write_bytes(path.read_bytes()[: min(left, path.stat().st_size - 1)])
    with pytest.raises(StoreError, match=r"is damaged .*ingest again"):
        open_index(tmp_path, chunks, make_embedder().identity)


def test_an_empty_corpus_is_built_and_opened(tmp_path: Path, make_embedder) -> None:
    build_index(tmp_path, [], make_embedder())
    index = open_index(tmp_path, [], make_embedder().identity)
    assert index.dense.search(np.ones(16, np.float32), 5).positions == ()
    assert index.bm25("lucene").search("营业收入", 5).positions == ()


def test_a_file_in_the_way_is_one_sentence(tmp_path: Path, make_chunks, make_embedder) -> None:
    (tmp_path / "index").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be written"):
        build_index(tmp_path, make_chunks(*TEXTS), make_embedder())


def test_the_model_is_recorded_beside_its_vectors(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    build_index(tmp_path, make_chunks(*TEXTS), make_embedder())
    recorded = json.loads(next(tmp_path.rglob("model.json")).read_text())
    assert recorded["spec"] == "path:a"
    assert recorded["dimension"] == 16


def test_an_unknown_bm25_variant_is_refused(tmp_path: Path, make_chunks, make_embedder) -> None:
    index = build_index(tmp_path, make_chunks(*TEXTS), make_embedder())
    with pytest.raises(ConfigError):
        index.bm25("bm42")


def test_two_processes_never_build_one_index_at_once(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    chunks = make_chunks(*TEXTS)
    other = (
        "import fcntl, pathlib, sys\n"
        "home = pathlib.Path(sys.argv[1]) / 'index'; home.mkdir()\n"
        "lock = (home / '.lock').open('w'); fcntl.flock(lock, fcntl.LOCK_EX)\n"
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", other, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(StoreLocked, match="being indexed by another process"):
            build_index(tmp_path, chunks, make_embedder())
        process.kill()
        process.wait()
    assert build_index(tmp_path, chunks, make_embedder()).embedded == len(TEXTS)


def test_folders_that_a_killed_process_left_are_cleared(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    build_index(tmp_path, make_chunks(*TEXTS), make_embedder())
    home = next(tmp_path.rglob("model.json")).parent
    (home / ".new-abc").mkdir()
    build_index(tmp_path, make_chunks(*TEXTS, "新"), make_embedder())
    assert len([path for path in home.iterdir() if path.is_dir()]) == 1


def test_similarity_looks_chunks_up_and_embeds_the_rest(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    chunks, embedder = make_chunks(*TEXTS), make_embedder()
    similarity = IndexSimilarity(build_index(tmp_path, chunks, embedder), embedder)
    asked = len(embedder.asked)
    vectors = similarity.chunks([chunks[2], chunks[0]])
    assert len(embedder.asked) == asked
    texts = [chunks[2].indexed_text, chunks[0].indexed_text]
    np.testing.assert_array_equal(vectors, similarity.passages(texts))
    assert similarity.queries(["净利润"]).shape == (1, 16)


def _files(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_an_extended_index_finds_what_an_index_of_all_chunks_finds(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    chunks = make_chunks(*_many(40), "营业收入 9 亿元", "Net income 99,803")
    index = build_index(tmp_path / "a", chunks[:40], make_embedder())
    embedder, before = make_embedder(), _files(tmp_path / "a")
    found, whole = (
        extended(index, chunks[40:], embedder),
        build_index(tmp_path / "b", chunks, make_embedder()),
    )
    assert found.embedded == len(embedder.asked) == 2
    assert found.chunks == whole.chunks
    for query in ("营业收入是多少", "net income"):
        vector = embedder.encode_queries([query])[0]
        assert found.dense.search(vector, 50) == whole.dense.search(vector, 50)
        for variant in ("lucene", "okapi"):
            assert found.bm25(variant).search(query, 50) == whole.bm25(variant).search(query, 50)
    assert len(index.dense) == len(index.postings) == 40
    assert _files(tmp_path / "a") == before


def test_an_index_cannot_be_extended_by_another_model(
    tmp_path: Path, make_chunks, make_embedder
) -> None:
    index = build_index(tmp_path, make_chunks(*TEXTS), make_embedder())
    with pytest.raises(InputError, match="cannot be by"):
        extended(index, make_chunks("新"), make_embedder("b"))


def test_a_question_is_encoded_once_and_each_answer_is_in_the_order_asked(make_embedder) -> None:
    plain = make_embedder()
    asked: list[str] = []

    class Noting:
        identity = plain.identity
        encode_passages = plain.encode_passages

        def encode_queries(self, texts):
            asked.extend(texts)
            return plain.encode_queries(texts)

    once = AskedOnce(Noting())
    for texts in (["净利润", "revenue"], ["revenue", "净利润", "revenue"], ["净利润"]):
        np.testing.assert_array_equal(once.encode_queries(texts), plain.encode_queries(texts))
    assert asked == ["净利润", "revenue"]
