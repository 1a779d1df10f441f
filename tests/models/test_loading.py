from __future__ import annotations

import json
import shutil
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from ragdash.core.errors import EnvironmentError_, ModelNotFound
from ragdash.models.loading import load_embedder, load_reranker
from ragdash.models.tiny import write_tiny_embedder, write_tiny_reranker

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["营业收入 1,476.94 亿元", "Total net sales 394,328", "归母净利润", "", "x" * 400]


def test_vectors_are_float32_of_unit_length_in_both_languages(embedder_folder: Path) -> None:
    embedder = load_embedder(f"path:{embedder_folder}")
    for vectors in (embedder.encode_queries(TEXTS), embedder.encode_passages(TEXTS)):
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(TEXTS), embedder.identity.dimension)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_a_vector_does_not_depend_on_what_is_encoded_beside_it(embedder_folder: Path) -> None:
    embedder = load_embedder(f"path:{embedder_folder}")
    many = [*TEXTS, *(text * 3 for text in TEXTS), *TEXTS[::-1]]
    together = embedder.encode_passages(many)
    alone = np.concatenate([embedder.encode_passages([text]) for text in many])
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_queries_and_passages_carry_their_own_prompt(embedder_folder: Path) -> None:
    embedder = load_embedder(f"path:{embedder_folder}")
    query, passage = embedder.encode_queries(["营业"])[0], embedder.encode_passages(["营业"])[0]
    assert np.abs(query - passage).max() > 1e-3


def test_a_text_is_nearest_to_itself(embedder_folder: Path) -> None:
    embedder = load_embedder(f"path:{embedder_folder}")
    texts = ["营业收入", "归母净利润", "net sales", "research"]
    cosines = embedder.encode_queries(texts) @ embedder.encode_passages(texts).T
    assert cosines.argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_progress_counts_up_to_the_number_of_texts(embedder_folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    load_embedder(f"path:{embedder_folder}").encode_passages(
        ["年报"] * 19, lambda done, total: seen.append((done, total))
    )
    assert [total for _, total in seen] == [19] * len(seen)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1] == (19, 19)


def test_no_texts_give_no_vectors_and_no_passages_no_scores(
    embedder_folder: Path, reranker_folder: Path
) -> None:
    embedder = load_embedder(f"path:{embedder_folder}")
    assert embedder.encode_passages([]).shape == (0, 32)
    assert load_reranker(f"path:{reranker_folder}").score("问", []).shape == (0,)


def test_a_lone_surrogate_from_a_damaged_pdf_is_read_as_a_question_mark(
    embedder_folder: Path, reranker_folder: Path
) -> None:
    embedder = load_embedder(f"path:{embedder_folder}")
    np.testing.assert_allclose(
        embedder.encode_passages(["收\ud800入"]), embedder.encode_passages(["收?入"]), atol=1e-6
    )
    assert load_reranker(f"path:{reranker_folder}").score("\udfff", ["\ud800"]).shape == (1,)


def test_scores_follow_their_passages_whatever_the_order(reranker_folder: Path) -> None:
    reranker = load_reranker(f"path:{reranker_folder}")
    scores = reranker.score("营业收入是多少", TEXTS)
    assert scores.dtype == np.float32
    assert len(set(scores.round(4).tolist())) == len(TEXTS)
    backwards = reranker.score("营业收入是多少", TEXTS[::-1])
    np.testing.assert_allclose(scores, backwards[::-1], atol=1e-5)


def test_scores_are_raw_outputs_and_not_squeezed_into_0_to_1(reranker_folder: Path) -> None:
    scores = load_reranker(f"path:{reranker_folder}").score("revenue", TEXTS)
    assert scores.min() < 0.0 or scores.max() > 1.0


def test_equal_files_have_one_identity_wherever_they_lie(
    embedder_folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(embedder_folder, tmp_path / "copy")
    (tmp_path / "copy" / "README.md").write_text("a note changes nothing")
    other = write_tiny_embedder(tmp_path / "other", seed=1)
    here, copy, different = (
        load_embedder(f"path:{folder}").identity
        for folder in (embedder_folder, tmp_path / "copy", other)
    )
    assert here.key == copy.key != different.key
    assert (here.role, here.dimension, here.max_length) == ("embedder", 32, 128)
    assert here.versions["sentence-transformers"].startswith("6.")


def test_a_bare_path_is_a_path_spec(embedder_folder: Path) -> None:
    bare, prefixed = (
        load_embedder(spec).identity.key
        for spec in (f"{embedder_folder}", f"path:{embedder_folder}")
    )
    assert bare == prefixed


def test_an_embedder_is_refused_as_reranker_instead_of_given_a_random_head(
    embedder_folder: Path,
) -> None:
    with pytest.raises(ModelNotFound, match=r"the reranker 'path:.*turns texts into vectors"):
        load_reranker(f"path:{embedder_folder}")


def test_a_reranker_is_refused_as_embedder(reranker_folder: Path) -> None:
    with pytest.raises(ModelNotFound, match=r"the embedder 'path:.*scores pairs of texts"):
        load_embedder(f"path:{reranker_folder}")


def test_a_classifier_with_several_outputs_is_no_reranker(tmp_path: Path) -> None:
    folder = write_tiny_reranker(tmp_path / "three")
    config = json.loads((folder / "config.json").read_text())
    labels = {"0": "a", "1": "b", "2": "c"}
    (folder / "config.json").write_text(json.dumps(config | {"id2label": labels}))
    tensors = load_file(folder / "model.safetensors")
    tensors["classifier.weight"] = np.repeat(tensors["classifier.weight"], 3, axis=0)
    tensors["classifier.bias"] = np.repeat(tensors["classifier.bias"], 3)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelNotFound, match="has 3 outputs"):
        load_reranker(f"path:{folder}")


def test_damaged_weights_are_one_sentence(tmp_path: Path) -> None:
    folder = write_tiny_embedder(tmp_path / "cut")
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelNotFound, match="cannot be opened from") as caught:
        load_embedder(f"path:{folder}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("role", ["embedder", "reranker"])
def test_weights_that_give_no_finite_number_are_an_error_and_no_nan(
    tmp_path: Path, role: str
) -> None:
    write = write_tiny_embedder if role == "embedder" else write_tiny_reranker
    folder = write(tmp_path / "broken")
    tensors = load_file(folder / "model.safetensors")
    name = next(name for name in tensors if name.endswith("embeddings.LayerNorm.weight"))
    tensors[name] = np.full_like(tensors[name], np.nan)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    ask = (
        load_embedder(f"path:{folder}").encode_passages
        if role == "embedder"
        else partial(load_reranker(f"path:{folder}").score, "净利润")
    )
    with pytest.raises(EnvironmentError_, match=rf"the {role} path:.*not finite"):
        ask(["营业收入"])
