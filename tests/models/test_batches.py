"""What a model says of a text does not depend on the texts beside it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.models.base import ModelIdentity
from ragdash.models.batches import BATCH, equal_lengths
from ragdash.models.loading import load_embedder, load_reranker
from ragdash.models.maxsim import MaxSimReranker, load_maxsim

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ragdash.models.base import Embedder, Reranker

TEXT = st.text("营业收入是多少净利润 revenue 2023", max_size=40)
# float32 sums in another order; seen: none at all
ALIKE = {"rtol": 1e-6, "atol": 1e-6}


class Lengths:
    """A model whose inputs are their own number of tokens."""

    def preprocess(self, inputs: list[int], prompt: str | None = None) -> dict[str, torch.Tensor]:
        del prompt
        longest = max(inputs)
        return {"attention_mask": torch.tensor([[1] * n + [0] * (longest - n) for n in inputs])}


class Unpadded:
    """A model without padding, such as a table of static vectors."""

    def preprocess(self, inputs: list[int], prompt: str | None = None) -> dict[str, torch.Tensor]:
        del inputs, prompt
        return {}


@settings(deadline=None)
@given(st.lists(st.integers(1, 5), max_size=40))
def test_each_input_is_in_one_batch_of_its_own_length(lengths: list[int]) -> None:
    batches = list(equal_lengths(Lengths(), lengths))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    assert all(len({lengths[i] for i in batch}) == 1 for batch in batches)
    assert all(1 <= len(batch) <= BATCH for batch in batches)
    sizes = [lengths[i] for batch in batches for i in batch]
    assert sizes == sorted(sizes, reverse=True)
    # no batch that could have been part of the one before it
    joined = [(a, b) for a, b in pairwise(batches) if len(a) < BATCH]
    assert all(lengths[a[0]] != lengths[b[0]] for a, b in joined)


def test_inputs_of_a_model_that_pads_nothing_are_all_alike() -> None:
    assert list(equal_lengths(Unpadded(), [3, 1, 2])) == [[0, 1, 2]]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """One thread, as models this small spend their time on waiting for the other."""
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def embedder(embedder_folder: Path) -> Embedder:
    loaded = load_embedder(f"path:{embedder_folder}")
    torch.set_num_threads(1)
    return loaded


@pytest.fixture(scope="module")
def rerankers(embedder_folder: Path, reranker_folder: Path) -> list[Reranker]:
    identity = ModelIdentity("reranker", "path:x", "", "sha256:0", None, 128)
    maxsim = MaxSimReranker(load_maxsim(embedder_folder), identity)
    loaded = [load_reranker(f"path:{reranker_folder}"), maxsim]
    torch.set_num_threads(1)
    return loaded


@settings(deadline=None, max_examples=10)
@given(texts=st.lists(TEXT, min_size=1, max_size=12), data=st.data())
def test_the_vector_of_a_question_is_the_same_in_any_company(
    embedder: Embedder, texts: list[str], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(texts))))
    together = embedder.encode_queries(texts)
    apart = np.concatenate([embedder.encode_queries([text]) for text in texts])
    np.testing.assert_allclose(together, apart, **ALIKE)
    moved = embedder.encode_queries([texts[i] for i in order])
    np.testing.assert_allclose(moved, together[order], **ALIKE)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("query", ["营业收入是多少？", "What was revenue in 2023?"])
@settings(deadline=None, max_examples=6)
@given(texts=st.lists(TEXT, min_size=1, max_size=12), data=st.data())
def test_the_score_of_a_passage_is_the_same_in_any_company(
    rerankers: list[Reranker], which: int, query: str, texts: list[str], data: st.DataObject
) -> None:
    reranker = rerankers[which]
    order = data.draw(st.permutations(range(len(texts))))
    together = reranker.score(query, texts)
    apart = np.concatenate([reranker.score(query, [text]) for text in texts])
    np.testing.assert_allclose(together, apart, **ALIKE)
    moved = reranker.score(query, [texts[i] for i in order])
    np.testing.assert_allclose(moved, together[order], **ALIKE)
