"""The two rerankers over token embeddings, against sums written out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sentence_transformers import SentenceTransformer

from ragdash.models.base import ModelIdentity
from ragdash.models.joint import joint_maxsim, merge, pair_masks
from ragdash.models.maxsim import MaxSimReranker, load_maxsim

if TYPE_CHECKING:
    from pathlib import Path

SEP, PAD = 2, 1


def _unit(row: np.ndarray) -> np.ndarray:
    return row / max(float(np.linalg.norm(row)), 1e-12)


@settings(deadline=None)
@given(query=st.integers(1, 5), passage=st.integers(0, 5), padding=st.integers(0, 3))
def test_masks_part_a_pair_at_its_two_separators(query: int, passage: int, padding: int) -> None:
    ids = [0, *[7] * query, SEP, SEP, *[8] * passage, SEP, *[PAD] * padding]
    real = [1] * (len(ids) - padding) + [0] * padding
    of_query, of_passage = pair_masks(torch.tensor([ids]), torch.tensor([real]), SEP)
    assert of_query[0].nonzero().flatten().tolist() == list(range(1, 1 + query))
    start = query + 3
    assert of_passage[0].nonzero().flatten().tolist() == list(range(start, start + passage + 1))


@settings(deadline=None)
@given(seed=st.integers(0, 10_000), query=st.integers(1, 4), passage=st.integers(0, 6))
def test_the_joint_score_is_the_formula_written_out(seed: int, query: int, passage: int) -> None:
    random = np.random.default_rng(seed)
    hidden = 6
    head = joint_maxsim(hidden, SEP)
    with torch.no_grad():
        head.h.weight.copy_(torch.from_numpy(random.normal(size=(1, 2 * hidden))))
    ids = torch.tensor([[0, *[7] * query, SEP, SEP, *[8] * passage, SEP, PAD]])
    tokens = random.normal(size=(1, ids.shape[1], hidden)).astype(np.float32)
    real = torch.tensor([[1] * (ids.shape[1] - 1) + [0]])
    features = {
        "input_ids": ids,
        "attention_mask": real,
        "token_embeddings": torch.from_numpy(tokens),
    }
    score = float(head(features)["scores"].detach())

    queries = tokens[0, 1 : 1 + query]
    passages = tokens[0, query + 3 : query + 3 + passage + 1]
    maxsim = np.mean([max(_unit(a) @ _unit(b) for b in passages) for a in queries])
    q, p = _unit(queries.mean(axis=0)), _unit(passages.mean(axis=0))
    linear = np.concatenate([q * p, np.abs(q - p)]) @ head.h.weight.detach().numpy()[0]
    bias = float(head.h.bias.detach())
    assert score == pytest.approx(20.0 * maxsim + linear + bias, abs=1e-4)


def test_an_adapter_adds_its_low_rank_product_twice() -> None:
    encoder = torch.nn.ModuleDict({"layer": torch.nn.Linear(3, 2, bias=False)})
    before = encoder["layer"].weight.detach().clone()
    a, b = torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[10.0], [0.5]])
    assert merge(encoder, {"bert.layer.A": a, "bert.layer.B": b, "scale": torch.tensor(1.0)}) == 1
    added = (encoder["layer"].weight - before).detach().numpy()
    np.testing.assert_allclose(added, [[20.0, 40.0, 60.0], [1.0, 2.0, 3.0]], rtol=1e-5)


def test_maxsim_leaves_the_prompts_out_of_the_score(embedder_folder: Path) -> None:
    identity = ModelIdentity("reranker", "path:tiny", "", "sha256:0", None, 128)
    reranker = MaxSimReranker(load_maxsim(embedder_folder), identity)
    texts = ["营业收入 10 亿元", "net sales", "归母净利润1亿"]
    scores = reranker.score("营业收入", texts)

    model = SentenceTransformer(
        str(embedder_folder), local_files_only=True, model_kwargs={"dtype": torch.float32}
    )
    # [CLS] and the prompt's three characters stand in front
    tokens = {
        text: model.encode(text, prompt=prompt, output_value="token_embeddings").numpy()[4:]
        for text, prompt in [("营业收入", "q: "), *((text, "p: ") for text in texts)]
    }
    expected = [
        np.mean([max(_unit(a) @ _unit(b) for b in tokens[text]) for a in tokens["营业收入"]])
        for text in texts
    ]
    np.testing.assert_allclose(scores, expected, atol=1e-5)
    assert scores.argmax() == 0


def test_maxsim_of_empty_texts_is_a_number(embedder_folder: Path) -> None:
    identity = ModelIdentity("reranker", "path:tiny", "", "sha256:0", None, 128)
    scores = MaxSimReranker(load_maxsim(embedder_folder), identity).score("", ["", "净利润"])
    assert np.isfinite(scores).all()
