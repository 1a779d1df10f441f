from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.index.dense import DenseIndex
from ragdash.index.ranking import Within

if TYPE_CHECKING:
    from pathlib import Path


def _vectors(seed: int, n: int, dim: int = 8) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@settings(deadline=None)
@given(seed=st.integers(0, 999), n=st.integers(0, 60), k=st.integers(0, 70))
def test_the_nearest_are_those_of_a_full_sort(seed: int, n: int, k: int) -> None:
    vectors = _vectors(seed, n + 1)
    # some texts twice
    rows = vectors[np.random.default_rng(seed).integers(0, n + 1, n)]
    query = vectors[-1]
    found = DenseIndex(rows).search(query, k)
    cosines = np.round(rows.astype(np.float64) @ query.astype(np.float64), 6)
    expected = sorted(range(n), key=lambda i: (-cosines[i], i))[:k]
    np.testing.assert_allclose(found.scores, cosines[expected], atol=2e-6)
    # where two cosines differ by less than float32 shows, either order is right
    np.testing.assert_allclose(cosines[list(found.positions)], cosines[expected], atol=2e-6)


@pytest.mark.parametrize("n", [3, 8_192, 8_193, 20_000])
def test_equal_texts_are_ranked_by_position_wherever_they_lie(n: int) -> None:
    vectors = _vectors(1, 2, dim=384)
    rows = np.repeat(vectors[:1], n, axis=0)
    rows[n // 2] = vectors[1]
    found = DenseIndex(rows).search(vectors[0], 5)
    expected = [i for i in range(n) if i != n // 2][:5]
    assert list(found.positions)[: len(expected)] == expected


def test_a_matrix_mapped_from_a_file_gives_what_one_in_memory_gives(tmp_path: Path) -> None:
    rows = _vectors(2, 5_000, dim=16)
    np.save(tmp_path / "rows.npy", rows)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    found = DenseIndex(mapped).search(rows[5], 50)
    assert found == DenseIndex(rows).search(rows[5], 50)
    assert found.positions[0] == 5
    np.testing.assert_allclose(found.scores, np.sort(rows @ rows[5])[::-1][:50], atol=2e-6)


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 300), st.integers(0, 40), st.integers(0, 5))
def test_many_queries_at_once_give_what_each_gives_alone(seed: int, n: int, k: int, m: int) -> None:
    random = np.random.default_rng(seed)
    # few directions, so that ties and near ties are the rule
    rows = random.normal(size=(max(1, n // 3), 8)).astype(np.float32)
    vectors = rows[random.integers(len(rows), size=n)]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    queries = vectors[random.integers(n, size=m)]
    index = DenseIndex(vectors)
    assert index.search_many(queries, k) == [index.search(query, k) for query in queries]


def test_many_queries_over_more_rows_than_a_block_give_what_each_gives_alone() -> None:
    random = np.random.default_rng(5)
    vectors = random.normal(size=(20_000, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # the best rows lie in every block, the same one in two of them
    vectors[[3, 9_000, 19_999]] = vectors[11]
    index = DenseIndex(vectors)
    queries = vectors[[11, 0, 17_000]]
    assert index.search_many(queries, 25) == [index.search(query, 25) for query in queries]


PREFERRED = st.sampled_from(["none", "all", "some", "few", "nowhere"])


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 300),
    k=st.integers(0, 40),
    preferred=st.lists(st.tuples(PREFERRED, st.booleans()), max_size=6),
)
def test_many_queries_with_preferred_chunks_give_what_each_gives_alone(
    seed: int, n: int, k: int, preferred: list[tuple[str, bool]]
) -> None:
    random = np.random.default_rng(seed)
    # few directions, so that ties are the rule, with and without the boost
    rows = random.normal(size=(max(1, n // 4), 8)).astype(np.float32)
    vectors = rows[random.integers(len(rows), size=n)]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    queries = vectors[random.integers(n, size=len(preferred))]
    share = {"all": 1.0, "some": 0.4, "few": 0.02, "nowhere": 0.0}
    within = [
        None if how == "none" else Within(random.random(n) < share[how], strict=strict)
        for how, strict in preferred
    ]
    index = DenseIndex(vectors)
    alone = [index.search(q, k, w) for q, w in zip(queries, within, strict=True)]
    assert index.search_many(queries, k, within) == alone


@pytest.mark.parametrize("strict", [True, False])
def test_preferred_chunks_of_any_block_are_found_by_many_queries_at_once(strict: bool) -> None:
    random = np.random.default_rng(6)
    vectors = random.normal(size=(20_000, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors[[3, 9_000, 19_999]] = vectors[11]
    index, queries = DenseIndex(vectors), vectors[[11, 0, 17_000]]
    inside = np.zeros(20_000, bool)
    inside[[5, 9_000, 9_001, 19_999]] = True
    within = [Within(inside, strict), None, Within(~inside, strict)]
    alone = [index.search(q, 25, w) for q, w in zip(queries, within, strict=True)]
    assert index.search_many(queries, 25, within) == alone
    assert alone[0].positions[:2] == (9_000, 19_999)


@settings(deadline=None)
@given(seed=st.integers(0, 999), n=st.integers(1, 40), data=st.data())
def test_the_order_of_the_chunks_changes_no_cosine_and_ties_go_by_position(
    seed: int, n: int, data: st.DataObject
) -> None:
    random = np.random.default_rng(seed)
    rows = _vectors(seed, 5)[random.integers(5, size=n)]
    order = data.draw(st.permutations(range(n)))
    found, moved = DenseIndex(rows).search(rows[0], n), DenseIndex(rows[order]).search(rows[0], n)
    cosines = dict(zip(found.positions, found.scores, strict=True))
    assert {order[p]: s for p, s in zip(moved.positions, moved.scores, strict=True)} == cosines
    for ranking in (found, moved):
        keys = [(-s, p) for s, p in zip(ranking.scores, ranking.positions, strict=True)]
        assert keys == sorted(keys)
