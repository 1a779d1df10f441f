"""The script that makes the adapter of e5-joint: its pairs, its facts, its steps, what it left."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file

from data.models.source.ledger import FACTS, METRICS, Key, Period, public_companies
from data.models.source.lora import add_lora, trained_tensors
from data.models.source.pairs import Pair, held_out_pairs, training_pairs
from data.models.source.separate import asked_about
from data.models.source.train import (
    BATCH,
    QUESTIONS,
    SEED,
    STEPS,
    go_on,
    keep,
    rate_at,
    train_step,
    trainee,
)
from ragdash.core.fingerprint import digest, digest_file
from ragdash.models import joint

if TYPE_CHECKING:
    from pathlib import Path

README = joint.adapter_file().with_name("README.md").read_text("utf-8")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return training_pairs(STEPS * BATCH, SEED)


def _negatives_hold(pair: Pair) -> bool:
    return any(pair.answer in negative for negative in pair.negatives)


def test_the_pairs_that_the_readme_names_are_made_again(pairs: list[Pair]) -> None:
    assert digest([asdict(pair) for pair in pairs]) in README


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), held_out=st.booleans())
def test_the_right_passage_prints_the_answer_and_no_wrong_one_does(
    seed: int, held_out: bool
) -> None:
    made = held_out_pairs(6, seed) if held_out else training_pairs(6, seed)
    assert made == (held_out_pairs(6, seed) if held_out else training_pairs(6, seed))
    for pair in made:
        assert pair.answer in pair.positive
        assert not _negatives_hold(pair)
        assert len({pair.positive, *pair.negatives}) == 6


def test_both_languages_ask_of_both_and_every_trap_is_met(pairs: list[Pair]) -> None:
    for question in ("zh", "en"):
        for passage in ("zh", "en"):
            kind = [p for p in pairs if (p.question_lang, p.passage_lang) == (question, passage)]
            assert len(kind) > 30
            assert any(p.public for p in kind)
            assert any(not p.public for p in kind)
    kinds = {trap for pair in pairs for trap in pair.traps}
    assert kinds >= {"other period", "other scope", "other company", "same report", "segment"}
    asks_parent = re.compile("母公司报表口径|母公司单体|parent company")
    assert sum(bool(asks_parent.search(pair.question)) for pair in pairs) > 10
    assert any(
        "扣非" in p.question and "归属于上市公司股东的净利润" in "".join(p.negatives) for p in pairs
    )


def test_held_out_pairs_are_of_other_companies(pairs: list[Pair]) -> None:
    held_out = held_out_pairs(60, SEED)
    assert not {p.company for p in held_out} & {p.company for p in pairs}
    assert not {p.question for p in held_out} & {p.question for p in pairs}
    assert not any(p.public for p in held_out)


def test_nothing_that_is_evaluated_is_trained_on(pairs: list[Pair]) -> None:
    assert len(QUESTIONS) == 2
    records = [json.loads(line) for path in QUESTIONS for line in path.read_text().splitlines()]
    assert not {r["question"] for r in records} & {p.question for p in pairs}
    companies = {r["company"] for r in records if r["company"]}
    assert not any(name in p.question + p.positive for name in companies for p in pairs)
    assert asked_about(QUESTIONS) == []


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("美的集团2023年营业收入是多少？", ["美的集团"]),
        ("What did Target earn?", ["Target"]),
        ("What was the target? Was it Targeted in the metadata?", []),
    ],
)
def test_a_fact_on_a_company_that_is_asked_about_is_found(
    tmp_path: Path, line: str, named: list[str]
) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps({"question": line}, ensure_ascii=False), "utf-8")
    assert asked_about([path]) == named


def test_public_facts_name_their_source_and_known_metrics() -> None:
    facts = [json.loads(line) for line in FACTS.read_text("utf-8").splitlines()]
    assert {fact["lang"] for fact in facts} == {"zh", "en"}
    keys = [(f["company"], f["metric"], f["period"], f.get("part")) for f in facts]
    assert len(keys) == len(set(keys))
    for fact in facts:
        assert str(fact["period"]) in fact["source"]
        assert fact["metric"] in METRICS
        assert NUMBER.fullmatch(fact["value"])
    alphabet = next(c for c in public_companies() if c.name == "Alphabet")
    assert alphabet.ledger.printed(Key("revenue", Period(2023))) == "307,394"


def test_no_figure_is_made_up_about_a_company_that_exists(pairs: list[Pair]) -> None:
    facts = [json.loads(line) for line in FACTS.read_text("utf-8").splitlines()]
    known = {fact["value"] for fact in facts}
    years = {str(year) for year in range(2015, 2030)}
    for pair in (p for p in pairs if p.public):
        for passage in (pair.positive, *pair.negatives):
            rows = [line for line in passage.splitlines()[1:] if line[:1] not in "123"]
            stray = set(NUMBER.findall(" ".join(rows))) - known - years - {"12", "31"}
            assert not stray, passage


def test_matrices_change_nothing_at_first_and_are_merged_to_what_they_learned(
    embedder_folder: Path,
) -> None:
    inputs = {"input_ids": torch.tensor([[2, 5, 6, 3, 7, 3]])}
    base, _ = joint.joint_modules(embedder_folder)
    before = base.model.eval()(**inputs).last_hidden_state
    encoder, head = joint.joint_modules(embedder_folder)
    add_lora(encoder.model.eval())
    torch.testing.assert_close(encoder.model(**inputs).last_hidden_state, before)
    learned = trained_tensors(encoder.model, head)
    with torch.no_grad():
        for name, tensor in learned.items():
            if name.endswith(".B"):
                tensor.normal_()
    after = encoder.model(**inputs).last_hidden_state
    assert (after - before).abs().max() > 0.01
    merged = joint.merge(base.model, learned)
    assert merged == 6 * base.model.config.num_hidden_layers
    torch.testing.assert_close(base.model(**inputs).last_hidden_state, after, atol=1e-4, rtol=1e-4)


def test_a_run_that_was_stopped_ends_where_one_without_a_stop_does(
    embedder_folder: Path, tmp_path: Path, pairs: list[Pair]
) -> None:
    batches = [pairs[i * 2 : i * 2 + 2] for i in range(4)]
    whole, stopped = trainee(embedder_folder, 1), trainee(embedder_folder, 1)
    for step, batch in enumerate(batches):
        train_step(whole, batch, step, 4)
    for step in (0, 1):
        train_step(stopped, batches[step], step, 4)
    keep(stopped, tmp_path / "checkpoint.pt", 2, 4)
    resumed = trainee(embedder_folder, 9)
    assert go_on(resumed, tmp_path / "checkpoint.pt", 4) == 2
    for step in (2, 3):
        train_step(resumed, batches[step], step, 4)
    expected = whole.state()
    assert expected["scale"] != 20.0
    for name, tensor in resumed.state().items():
        assert torch.equal(tensor, expected[name]), name
    with pytest.raises(SystemExit, match="of a run of 4 steps, not 5: name another --out"):
        go_on(resumed, tmp_path / "checkpoint.pt", 5)


def test_the_rate_warms_up_and_ends_at_nothing() -> None:
    rates = [rate_at(step, 100) for step in range(101)]
    assert rates[0] < rates[5] < rates[13]
    assert rates[100] == 0
    assert max(rates) < 1


def test_the_shipped_adapter_is_the_pinned_one_of_the_readme_and_fits_the_script() -> None:
    assert digest_file(joint.adapter_file()) == joint.ADAPTER_DIGEST
    assert joint.ADAPTER_DIGEST.removeprefix("sha256:") in README
    tensors = load_file(joint.adapter_file())
    low_rank = [name for name in tensors if name.endswith((".A", ".B"))]
    assert len(low_rank) == 2 * 6 * 12
    assert set(tensors) - set(low_rank) == {"scale", "h.weight", "h.bias"}
