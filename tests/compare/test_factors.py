"""One factor, or none, or not attributable: what two runs declare decides it, in either order."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.compare.declared import FACTORS, USED_BY, declared
from ragdash.compare.factors import Obstacle, Side, Standing, comparability
from ragdash.core.call import Budget, Endpoint
from ragdash.core.retrieval import Mode
from ragdash.core.run import GeneratorConfig, Imported, JudgeConfig, RunConfig, RunInfo
from ragdash.receive import form

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ENDPOINT = Endpoint("https://llm.example/v1", "qwen")
JUDGE = Endpoint("https://judge.example/v1", "judge-large")
E5 = {"digest": "sha256:" + "5" * 64, "dimension": 384, "max_length": 512}
RERANKER = {"digest": "sha256:" + "6" * 64, "dimension": None, "max_length": 512}
ENVIRONMENT: dict[str, Any] = {
    "ragdash": "0.1", "commit": "abc", "code": "sha256:" + "c" * 64, "gates": "sha256:" + "9" * 64,
    "corpus": {"documents": "sha256:" + "d" * 64, "reader": 2},
    "models": {
        "dense": E5, "reranker": RERANKER,
        "generator": {"level": "json_schema", "prompts": {"answer": "sha256:" + "a" * 64}},
        "judge": {"level": "json_schema", "prompts": {"claims": "sha256:" + "b" * 64}},
    },
    "self_judged": False,
}  # fmt: skip
BASE = RunInfo(
    run_id="run-a",
    started_at="2026-11-30T09:36:00Z",
    modes=tuple(Mode),
    config=replace(
        RunConfig(),
        generator=GeneratorConfig("endpoint", ENDPOINT),
        judge=JudgeConfig("endpoint", JUDGE, 3),
    ),
    corpus_name="demo",
    corpus_digest="sha256:" + "1" * 64,
    questions_name="demo",
    questions_digest="sha256:" + "2" * 64,
    n_questions=2,
    environment=ENVIRONMENT,
)
OTHER = replace(BASE, run_id="run-b", started_at="2026-11-30T10:36:00Z")


def configured(part: str, **values: Any) -> Callable[[RunInfo], RunInfo]:
    def changed(info: RunInfo) -> RunInfo:
        new = replace(getattr(info.config, part), **values)
        return replace(info, config=replace(info.config, **{part: new}))

    return changed


def generated(**values: Any) -> Callable[[RunInfo], RunInfo]:
    def changed(info: RunInfo) -> RunInfo:
        endpoint = replace(info.config.generator.endpoint or ENDPOINT, **values)
        return configured("generator", endpoint=endpoint)(info)

    return changed


def environed(*path: str, value: Any) -> Callable[[RunInfo], RunInfo]:
    def put(into: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
        head, *rest = names
        new = put(into.get(head, {}), tuple(rest)) if rest else value
        return {**into, head: new}

    return lambda info: replace(info, environment=put(info.environment, path))


SHA = "sha256:" + "f" * 64
CHANGES: dict[str, tuple[str, Callable[[RunInfo], RunInfo]]] = {
    "candidates_dense": ("fusion", configured("retrieval", candidates_dense=50)),
    "candidates_bm25": ("fusion", configured("retrieval", candidates_bm25=50)),
    "bm25": ("fusion", configured("retrieval", bm25="okapi")),
    "rrf_k": ("fusion", configured("retrieval", rrf_k=10)),
    "weights": ("fusion", configured("retrieval", weights=(1.0, 2.0))),
    "candidates_rerank": ("fusion", configured("retrieval", candidates_rerank=5)),
    "filter": ("filter", configured("retrieval", filter="strict")),
    "query": ("query", configured("retrieval", query="asked")),
    "top_k": ("top_k", configured("retrieval", top_k=10)),
    "chunking": ("chunking", configured("corpus", chunking="page")),
    "documents": ("ingest", environed("corpus", "documents", value=SHA)),
    "parser": ("ingest", environed("corpus", "reader", value=3)),
    "corpus_digest": ("ingest", lambda info: replace(info, corpus_digest=SHA)),
    "models.dense.weights": (
        "embedding",
        environed("models", "dense", value={**E5, "digest": SHA, "dimension": 1024}),
    ),
    "models.reranker.weights": (
        "reranker",
        environed("models", "reranker", value={**RERANKER, "digest": SHA}),
    ),
    "prompts": ("prompt", environed("models", "generator", "prompts", value={"answer": SHA})),
    "generator.base_url": ("generator", generated(base_url="https://other.example/v1")),
    "generator.model": ("generator", generated(model="other")),
    "generator.temperature": ("generator", generated(temperature=0.7)),
    "generator.seed": ("generator", generated(seed=None)),
    "generator.max_tokens": ("generator", generated(max_tokens=64)),
    "generator.level": ("generator", environed("models", "generator", "level", value="text")),
    "generator.kind": ("generator", configured("generator", kind="extractive", endpoint=None)),
}  # fmt: skip


def told(first: RunInfo, second: RunInfo, mode: Mode = Mode.RERANK, other: Mode | None = None):
    return comparability(Side(first, mode), Side(second, other or mode))


@pytest.mark.parametrize("name", CHANGES)
def test_one_changed_field_is_exactly_one_factor_and_is_named(name) -> None:
    factor, change = CHANGES[name]
    found = told(BASE, change(OTHER))
    assert found.standing is Standing.ONE_FACTOR
    assert found.factors == (factor,)
    assert [c.field for c in found.changes] == [name]


@pytest.mark.parametrize(("one", "two"), list(combinations(CHANGES, 2)))
def test_two_changed_fields_give_both_and_no_factor_alone(one, two) -> None:
    (factor, change), (other_factor, other_change) = CHANGES[one], CHANGES[two]
    found = told(BASE, other_change(change(OTHER)))
    follows = {"corpus_digest": {"chunking"}, "prompts": {"generator.kind"}}
    if two in follows.get(one, ()) or one in follows.get(two, ()):
        assert found.standing is Standing.ONE_FACTOR
        return
    assert set(found.factors) == {factor, other_factor}
    one_factor = factor == other_factor
    expected = Standing.ONE_FACTOR if one_factor else Standing.NOT_ATTRIBUTABLE
    assert found.standing is expected


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(sorted(CHANGES)), max_size=4, unique=True),
    st.sampled_from(Mode),
    st.sampled_from(Mode),
)
def test_the_verdict_is_the_same_from_either_side_with_the_values_turned(
    names, mode, other
) -> None:
    changed = OTHER
    for name in names:
        changed = CHANGES[name][1](changed)
    one, two = told(BASE, changed, mode, other), told(changed, BASE, other, mode)
    assert (one.standing, one.factors, one.similar) == (two.standing, two.factors, two.similar)
    assert [(c.field, c.base, c.other) for c in one.changes] == [
        (c.field, c.other, c.base) for c in two.changes
    ]
    assert one.codes == two.codes[::-1]


@pytest.mark.parametrize("field", sorted(USED_BY))
@pytest.mark.parametrize("mode", Mode)
def test_what_a_mode_does_not_use_is_no_difference_of_it(field, mode) -> None:
    name = "models.reranker.weights" if field == "models.reranker" else field
    found = told(BASE, CHANGES[name][1](OTHER), mode)
    used = mode in USED_BY[field]
    assert found.standing is (Standing.ONE_FACTOR if used else Standing.SAME)


def test_another_mode_is_one_factor_and_its_own_settings_follow_from_it() -> None:
    changed = CHANGES["rrf_k"][1](CHANGES["models.reranker.weights"][1](OTHER))
    found = told(BASE, changed, Mode.DENSE, Mode.RERANK)
    assert found.factors == ("mode",)
    # Both fuse, so that another k is a second factor there.
    assert told(BASE, changed, Mode.HYBRID, Mode.RERANK).factors == ("mode", "fusion")


def test_the_corpus_digest_of_another_chunking_is_no_second_factor() -> None:
    changed = replace(CHANGES["chunking"][1](OTHER), corpus_digest=SHA)
    assert told(BASE, changed).factors == ("chunking",)
    documents = CHANGES["documents"][1](changed)
    assert told(BASE, documents).factors == ("ingest", "chunking")


def test_runs_of_before_documents_were_recorded_are_told_apart_by_their_corpus_digest() -> None:
    old = replace(OTHER, environment={**ENVIRONMENT, "corpus": {}})
    assert told(BASE, old).standing is Standing.SAME
    assert told(BASE, replace(old, corpus_digest=SHA)).factors == ("ingest",)
    assert told(BASE, replace(CHANGES["chunking"][1](old), corpus_digest=SHA)).factors == (
        "chunking",
    )


def test_the_same_weights_under_another_name_are_the_same_model() -> None:
    renamed = configured("models", dense="path:elsewhere")(OTHER)
    assert told(BASE, renamed).standing is Standing.SAME
    unknown = environed("models", "dense", value={"dim": 384})
    found = told(unknown(BASE), unknown(renamed))
    assert [c.field for c in found.changes] == ["models.dense"]


def test_what_bears_on_no_answer_is_no_difference() -> None:
    other = generated(timeout=5.0, concurrency=9, price_prompt=3.0, api_key_env="B")(OTHER)
    other = replace(other, config=replace(other.config, budget=Budget(calls=3)))
    other = configured("judge", repeats=5)(other)
    assert told(BASE, other).standing is Standing.SAME


def test_the_same_configuration_of_other_code_names_both_versions() -> None:
    later = environed("code", value="sha256:" + "e" * 64)(environed("commit", value="def")(OTHER))
    found = told(BASE, later)
    assert found.standing is Standing.SAME
    assert found.codes == ("0.1 abc " + "c" * 12, "0.1 def " + "e" * 12)
    rescored = environed("rescored", value={"answers_by": {"ragdash": "0.0", "code": SHA}})(later)
    assert told(BASE, rescored).codes[1] == "0.0 " + "f" * 12


BARRIERS: list[tuple[Obstacle, Callable[[RunInfo], RunInfo]]] = [
    (Obstacle.QUESTIONS, lambda info: replace(info, questions_digest=SHA)),
    (Obstacle.GATES, environed("gates", value=SHA)),
    (Obstacle.JUDGE, environed("models", "judge", "level", value="text")),
    (Obstacle.JUDGE, environed("models", "judge", "prompts", value={"claims": SHA})),
    (Obstacle.JUDGE, configured("judge", endpoint=replace(JUDGE, model="other"))),
    (Obstacle.JUDGE, configured("judge", kind="none", endpoint=None)),
    (Obstacle.SELF_JUDGED, environed("self_judged", value=True)),
]


@pytest.mark.parametrize(("obstacle", "change"), BARRIERS)
@pytest.mark.parametrize("turned", [False, True])
def test_other_questions_gates_or_judge_cannot_be_compared_whatever_else(
    obstacle, change, turned
) -> None:
    sides = (change(OTHER), BASE) if turned else (BASE, change(OTHER))
    found = told(*sides)
    assert found.standing is Standing.NOT_COMPARABLE
    assert [b.obstacle for b in found.barriers] == [obstacle]
    more = told(*(CHANGES["top_k"][1](side) if side is not BASE else side for side in sides))
    assert more.standing is Standing.NOT_COMPARABLE
    assert more.factors == ("top_k",)


def test_a_generator_that_judged_itself_is_refused_among_its_own_modes_too() -> None:
    judged = environed("self_judged", value=True)(BASE)
    found = told(judged, judged, Mode.DENSE, Mode.HYBRID)
    assert [b.obstacle for b in found.barriers] == [Obstacle.SELF_JUDGED]
    unstamped = configured("judge", endpoint=ENDPOINT)(environed("self_judged", value=None)(BASE))
    assert not told(unstamped, unstamped, Mode.DENSE, Mode.HYBRID).is_attributable


def test_gates_that_neither_run_has_recorded_are_not_taken_for_the_same() -> None:
    bare = replace(BASE, environment={}), replace(OTHER, environment={})
    assert Obstacle.GATES in [b.obstacle for b in told(*bare).barriers]
    # The modes of one run were decided together.
    assert told(bare[0], bare[0], Mode.DENSE, Mode.HYBRID).standing is Standing.ONE_FACTOR


def test_before_gates_were_recorded_the_same_code_has_the_same_gates() -> None:
    old = [environed("gates", value=None)(info) for info in (BASE, OTHER)]
    assert told(*old).standing is Standing.SAME
    assert told(old[0], OTHER).standing is Standing.SAME
    other_code = environed("code", value=SHA)(old[1])
    assert told(old[0], other_code).standing is Standing.NOT_COMPARABLE


def test_similarities_of_another_embedder_are_not_compared_and_are_no_other_judge() -> None:
    similar = [configured("judge", kind="similarity", endpoint=None)(i) for i in (BASE, OTHER)]
    changed = CHANGES["models.dense.weights"][1](similar[1])
    found = told(similar[0], changed)
    assert (found.standing, found.similar) == (Standing.ONE_FACTOR, False)
    assert told(*similar).similar


def _leaves(config: object, prefix: str = "") -> set[str]:
    names: set[str] = set()
    for field in fields(config):  # type: ignore[arg-type]
        value = getattr(config, field.name)
        if is_dataclass(value) and not isinstance(value, Endpoint):
            names |= _leaves(value, f"{prefix}{field.name}.")
        else:
            names.add(f"{prefix}{field.name}")
    return names


def test_every_field_of_a_config_is_declared_or_said_to_bear_on_no_answer() -> None:
    """A new setting must not make two runs look alike."""
    declared_fields = {field for names in FACTORS.values() for field in names}
    known = {
        name for name in _leaves(RunConfig()) if {name, name.rpartition(".")[2]} & declared_fields
    }
    elsewhere = {
        "generator.endpoint",
        "judge.kind",
        "judge.endpoint",
        "judge.repeats",
        "budget",
        "imported",
    }
    assert _leaves(RunConfig()) - known == elsewhere
    asked = {f.name for f in fields(Endpoint)}
    no_answer = {"api_key_env", "timeout", "concurrency", "tries", "price_prompt",
                 "price_completion", "context_window"}  # fmt: skip
    assert {f"generator.{name}" for name in asked - no_answer} <= declared_fields
    theirs = {"system_version", "corpus", "fusion"}
    assert set(declared(BASE, Mode.RERANK)) == declared_fields - theirs


FACTS = {"system": "my-rag", "generator": "qwen", "chunking": "blocks"}


def imported(run_id: str, mode: str = "v2", **facts: str) -> Side:
    """One mode of an import of a run of the base's questions and gates."""
    config = RunConfig(judge=BASE.config.judge, imported=Imported("i", "f", "d", facts))
    return Side(replace(OTHER, run_id=run_id, config=config, modes=(Mode(mode),)), Mode(mode))


@pytest.mark.parametrize("name", [n for names in form.FACTS.values() for n in names])
def test_one_fact_that_two_imports_declare_otherwise_is_the_factor(name: str) -> None:
    one, other = imported("a", **FACTS), imported("b", **FACTS | {name: "other"})
    factor = next(f for f, names in form.FACTS.items() if name in names)

    for found in (comparability(one, other), comparability(other, one)):
        assert found.standing is Standing.ONE_FACTOR
        assert found.factors == (factor,)
    assert comparability(one, imported("b", **FACTS)).standing is Standing.SAME


def test_two_facts_or_no_system_at_all_cannot_be_attributed_and_are_named() -> None:
    two = comparability(
        imported("a", **FACTS), imported("b", **FACTS | {"query": "q", "top_k": "5"})
    )
    silent = comparability(imported("a"), imported("b"))

    assert two.standing is Standing.NOT_ATTRIBUTABLE
    assert [c.field for c in two.changes] == ["query", "top_k"]
    assert silent.standing is Standing.NOT_ATTRIBUTABLE
    assert [(c.field, c.base, c.other) for c in silent.changes] == [("system", "?", "?")]


def test_the_modes_of_one_import_differ_in_their_mode_alone() -> None:
    one = imported("a", "v1")

    found = comparability(one, replace(one, mode=Mode("v2")))

    assert (found.standing, found.factors) == (Standing.ONE_FACTOR, ("mode",))


@pytest.mark.parametrize("mode", Mode)
def test_an_import_beside_a_run_of_ours_is_never_one_factor_away(mode: Mode) -> None:
    ours, theirs = Side(BASE, mode), imported("a", mode.value, **FACTS)

    for found in (comparability(ours, theirs), comparability(theirs, ours)):
        assert found.standing is Standing.NOT_ATTRIBUTABLE
        assert "system" in found.factors
    assert comparability(theirs, ours).codes[0] == "my-rag"
