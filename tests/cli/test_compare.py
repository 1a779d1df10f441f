"""`ragdash compare`: which side against which, the factor first, exit 2 where nothing is told."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.cli import invoke
from ragdash.cli.compare import planned
from ragdash.cli.environment import GATES, environment, gates_digest
from ragdash.core.errors import InputError
from ragdash.core.retrieval import Mode
from ragdash.core.run import Outcome, RunConfig
from ragdash.core.score import scored
from ragdash.store.journal import Journal
from ragdash.store.registered import Ref
from ragdash.store.runfile import publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

A, B = "20261130-0900-a-1", "20261130-1000-b-2"
MODES = {(A, 1): ("dense", "hybrid"), (B, 1): ("hybrid", "rerank"), (B, 2): ("hybrid", "rerank")}
CODE = {"ragdash": "0.1", "commit": "abc", "code": "sha256:" + "c" * 64}
CONFIG = RunConfig()
RRF_10 = replace(CONFIG, retrieval=replace(CONFIG.retrieval, rrf_k=10))
TOP_10_TOO = replace(CONFIG, retrieval=replace(RRF_10.retrieval, top_k=10))


def refs(*words: str) -> list[Ref]:
    found = []
    for word in words:
        name, _, mode = word.partition(":")
        run = {"A": A, "B": B}[name[0]]
        found.append(Ref(run, int(name[2:] or 1), mode or None))
    return found


def plan(*words: str) -> tuple[list[list[str]], list[str]]:
    found = planned(refs(*words), MODES)
    short = {A: "A", B: "B"}

    def name(ref: Ref) -> str:
        return f"{short[ref.run_id]}{'' if ref.version == 1 else f'.{ref.version}'}:{ref.mode}"

    return [[name(r) for r in group] for group in found.groups], [name(r) for r in found.left_out]


@pytest.mark.parametrize(
    ("words", "groups", "left_out"),
    [
        (["A"], [["A:dense", "A:hybrid"]], []),
        (["A", "B"], [["A:hybrid", "B:hybrid"]], ["A:dense", "B:rerank"]),
        (["A:hybrid", "B"], [["A:hybrid", "B:hybrid"]], []),
        (["B", "A:hybrid"], [["B:hybrid", "A:hybrid"]], []),
        (["A:dense", "B:rerank"], [["A:dense", "B:rerank"]], []),
        (["A:hybrid", "A"], [["A:hybrid", "A:dense"]], []),
        (["A:hybrid", "A:dense", "B"], [["A:hybrid", "A:dense", "B:hybrid"]], []),
        (["B", "B.2"], [["B:hybrid", "B.2:hybrid"], ["B:rerank", "B.2:rerank"]], []),
    ],
)
def test_a_run_alone_means_its_modes_and_the_first_ref_is_the_base(words, groups, left_out) -> None:
    assert plan(*words) == (groups, left_out)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["A:dense"], "one mode alone"),
        (["A", "A"], "with itself"),
        (["A:dense", "A:dense"], "with itself"),
        (["A:hybrid", "B", "B:hybrid"], "with itself"),
        (["A:dense", "B"], "has no mode dense, only hybrid, rerank"),
        (["A", "B:rerank"], "has no mode rerank, only dense, hybrid"),
    ],
)
def test_what_has_nothing_to_be_compared_with_is_refused(words, says) -> None:
    with pytest.raises(InputError, match=says):
        planned(refs(*words), MODES)


def published(build: ModuleType, store: Path, run: str, right: str, **fields: Any) -> str:
    """Publish a run whose answers are right ("1") or wrong ("0"), the same in both modes."""
    info = build.make_info(
        run,
        modes=(Mode.DENSE, Mode.HYBRID),
        n_questions=len(right),
        environment={**CODE, "models": {"dense": {"dim": 384}}},
    )
    info = replace(info, **fields)
    ids = [f"q{i:02}" for i in range(len(right))]
    with Journal.create(store, info, ids) as journal:
        for mode in info.modes:
            for name, bit in zip(ids, right, strict=True):
                outcome = Outcome.CORRECT if bit == "1" else Outcome.WRONG
                scores = (
                    scored("answer_accuracy", int(bit)),
                    scored("faithfulness_similarity", 0.8 if bit == "1" else 0.6),
                )
                journal.append(build.make_result(name, mode=mode, outcome=outcome, scores=scores))
        publish(store, journal, "2026-11-30T11:00:00Z")
    return run


@pytest.fixture
def ask(store: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """`ask("RUN", "RUN", "--json")` -> exit code, stdout, stderr."""

    def asked(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = invoke(["compare", *words, "--store", str(store)])
        out, err = capsys.readouterr()
        return code, out, err

    return asked


def test_one_factor_heads_the_table_and_who_moved_is_named(build, store, ask) -> None:
    published(build, store, A, "110000")
    published(build, store, B, "011000", config=RRF_10)
    code, out, err = ask(f"{A}:hybrid", f"{B}:hybrid")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == (
        f"{B}:hybrid against {A}:hybrid: one factor differs, fusion: rrf_k 60 -> 10"
    )
    assert f"questions of {B}:hybrid: 6 of 6 paired" in out
    assert out.index("■ gates") < out.index("≈ signals")
    assert "2/6 0.33 (0.10-0.70)" in out
    assert "improved 1: q02" in out
    assert "regressed 1: q00" in out
    assert "6 questions cannot separate them; no difference in the mean" in out


def test_a_needed_number_is_said_from_six_questions_on_and_no_winner_below_thirty(
    build, store, ask
) -> None:
    published(build, store, A, "000000")
    published(build, store, B, "100000", config=RRF_10)
    _, out, _ = ask(f"{A}:hybrid", f"{B}:hybrid")
    assert "6 questions cannot separate them; about 46 would be needed at this difference" in out
    published(build, store, "few", "0000")
    published(build, store, "few-2", "1000", config=RRF_10)
    _, out, _ = ask("few:hybrid", "few-2:hybrid")
    assert "fewer than 6 cannot say how many would" in out
    published(build, store, "more", "0" * 20)
    published(build, store, "more-2", "1" * 20, config=RRF_10)
    _, out, _ = ask("more:hybrid", "more-2:hybrid")
    assert "20 questions separate them, fewer than 30: no winner is named" in out
    assert "p < 0.001" in out


def test_a_similarity_has_no_p_and_an_interval_from_twenty_questions_on(build, store, ask) -> None:
    for n in (6, 20):
        published(build, store, f"a-{n}", "01" * (n // 2))
        published(build, store, f"b-{n}", "11" * (n // 2), config=RRF_10)
        _, out, _ = ask(f"a-{n}:hybrid", f"b-{n}:hybrid", "--json")
        (found,) = json.loads(out)["comparisons"]
        signal = next(m for m in found["metrics"] if m["name"] == "faithfulness_similarity")
        assert (signal["kind"], signal["deterministic"]) == ("signal", "no")
        pair = signal["cells"][1]["pair"]
        assert (pair["test"], pair["p"], pair["p_holm"], pair["needed"]) == (
            "untested", None, None, None,
        )  # fmt: skip
        assert pair["delta"] == pytest.approx(0.1)
        assert (pair["interval"] is not None) == (n >= 20)


def test_holm_is_over_all_pairs_of_a_metric_that_are_shown_together(build, store, ask) -> None:
    published(build, store, A, "0" * 8)
    published(build, store, B, "1" * 8, config=RRF_10)
    _, out, _ = ask(A, B, "--json")
    both = json.loads(out)["comparisons"]
    assert len(both) == 2
    pairs = [found["metrics"][0]["cells"][1]["pair"] for found in both]
    assert all(pair["p"] == pytest.approx(2 / 2**8) for pair in pairs)
    assert all(pair["p_holm"] == pytest.approx(4 / 2**8) for pair in pairs)


def test_two_factors_are_shown_without_a_test_and_end_with_2(build, store, ask) -> None:
    published(build, store, A, "110000")
    published(build, store, B, "011000", config=TOP_10_TOO)
    code, out, err = ask(f"{A}:hybrid", f"{B}:hybrid")
    assert code == 2
    assert "not attributable, fusion and top_k differ: rrf_k 60 -> 10, 5 -> 10" in out
    assert "not attributable, fusion and top_k differ" in err
    assert err.count("\n") == 1
    assert "2/6" in out
    assert "Δ" not in out
    assert "improved" not in out
    # Dense fuses nothing, so that only top k is left there.
    assert ask(f"{A}:dense", f"{B}:dense")[0] == 0


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"questions_digest": "sha256:" + "9" * 64}, "run both over one file"),
        ({"environment": {"code": "sha256:" + "e" * 64}}, "ragdash rescore RUN --gates-only"),
        ({"environment": {**CODE, "self_judged": True}}, "asks another judge"),
    ],
)
def test_what_is_not_comparable_ends_with_2_and_says_what_to_do(
    build, store, ask, fields, says
) -> None:
    published(build, store, A, "110000")
    published(build, store, B, "011000", **fields)
    code, out, err = ask(f"{A}:hybrid", f"{B}:hybrid", "--json")
    assert code == 2
    assert says in err
    (found,) = json.loads(out)["comparisons"]
    assert found["standing"] == "not_comparable"
    assert all(cell["pair"] is None for m in found["metrics"] for cell in m["cells"])


def test_questions_of_two_sets_are_listed_and_never_paired_by_their_names(
    build, store, ask
) -> None:
    published(build, store, A, "11")
    published(build, store, B, "110", questions_digest="sha256:" + "9" * 64)
    _, out, _ = ask(f"{A}:hybrid", f"{B}:hybrid", "--json")
    (against,) = json.loads(out)["comparisons"][0]["against"]
    assert against["overlap"] == {
        "paired": 0, "only_base": ["q00", "q01"], "only_other": ["q00", "q01", "q02"],
    }  # fmt: skip


def test_the_same_configuration_of_two_codes_names_both(build, store, ask) -> None:
    later = {**CODE, "commit": "def", "rescored": {"answers_by": {**CODE, "commit": "old"}}}
    published(build, store, A, "11")
    published(build, store, B, "10", environment=later)
    code, out, _ = ask(f"{A}:hybrid", f"{B}:hybrid")
    assert code == 0
    short = "c" * 12
    assert f"same configuration, ragdash 0.1 abc {short} and 0.1 old {short}" in out


def test_a_mode_without_a_partner_is_named(build, store, ask) -> None:
    published(build, store, A, "11")
    published(build, store, B, "10", modes=(Mode.HYBRID,), config=RRF_10)
    code, out, _ = ask(A, B)
    assert code == 0
    assert f"not compared, as the other run has no such mode: {A}:dense" in out


def test_a_store_that_is_not_there_or_a_ref_that_names_nothing_is_a_sentence(
    build, store, ask
) -> None:
    code, _, err = ask(A)
    assert (code, err.count("\n")) == (3, 1)
    published(build, store, A, "11")
    code, _, err = ask("nope")
    assert code == 2
    assert "no run and no tag" in err


def test_the_gates_digest_covers_all_that_decides_a_verdict() -> None:
    """What scoring imports is in the digest, so that no other gate goes under the same name."""
    import grimp

    graph = grimp.build_graph("ragdash", cache_dir=None)
    room = "ragdash.evaluate.scoring"
    named = {room, *graph.find_upstream_modules(room)}
    covered = tuple("ragdash." + n.removesuffix(".py").replace("/", ".") for n in GATES)
    outside = {m for m in named if not any(m == c or m.startswith(f"{c}.") for c in covered)}
    # Packages themselves hold a docstring; asking and window say when one is asked, no verdict.
    # What else turns up here belongs into GATES of ragdash/cli/environment.py.
    idle = {"ragdash.evaluate.asking", "ragdash.llm.window"}
    assert outside - idle <= {"ragdash", "ragdash.evaluate", "ragdash.llm"}


def test_a_run_records_its_gates_apart_from_the_whole_code() -> None:
    found = environment({})
    assert found["gates"] == gates_digest()
    assert found["gates"] != found["code"]
