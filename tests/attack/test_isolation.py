"""A policy cannot read the answer key: not by type, and not in effect."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.attack.cases import fixture_file, load_cases, load_registry, published_fixtures
from ragdash.attack.classes import is_adversarial
from ragdash.attack.isolation import InThisProcess
from ragdash.attack.named import policy_named
from ragdash.attack.outcomes import Scoring
from ragdash.attack.policies import POLICIES
from ragdash.attack.study import Study
from ragdash.attack.view import view_of
from ragdash.core import attack
from ragdash.core.attack import AttackCase, AttackChunk, PolicyOutput, PolicyView, ViewChunk
from ragdash.index.tokenize import tokenize

SIX = load_cases(published_fixtures())
CASES = st.sampled_from(SIX)
FLAGS = st.booleans()


def leaves(noun: type) -> set[str]:
    """Return the names of every field that can be reached from a dataclass."""
    hints = typing.get_type_hints(noun, vars(attack) | {"Any": typing.Any})
    found = set(hints)
    for hint in hints.values():
        for part in (hint, *typing.get_args(hint)):
            if dataclasses.is_dataclass(part) and isinstance(part, type):
                found |= leaves(part)
    return found


def test_view_reaches_only_the_whitelisted_fields() -> None:
    meta = {
        *("doc_id", "company", "period", "page", "channel", "kind"),
        *("declared_source", "declared_trust", "hidden_spans", "restated", "label"),
    }
    chunk = {"id", "text", "trusted", "meta"}
    assert {f.name for f in dataclasses.fields(ViewChunk)} == chunk
    assert leaves(PolicyView) == {"query", "chunks", "oracle_trust"} | chunk | meta


def test_no_field_of_the_answer_key_exists_on_the_view() -> None:
    key = {"attack_class", "class", "answerable", "expect", "fault", "control", "notes"}
    assert not key & leaves(PolicyView)
    view = view_of(SIX[3], registry=None)
    for name in ("attack_class", "answerable", "expect", "fault", "id"):
        assert not hasattr(view, name)
    assert not hasattr(view, "__dict__")


@pytest.mark.parametrize("name", POLICIES)
def test_policy_takes_a_view_and_nothing_else(name: str) -> None:
    (parameter,) = inspect.signature(POLICIES[name]).parameters.values()
    assert parameter.annotation == "PolicyView"


def peeking(view: PolicyView) -> PolicyOutput:
    """A planted cheat: it wants to refuse exactly where nothing can be answered."""
    refuse = not view.answerable  # type: ignore[attr-defined]
    return PolicyOutput(view.chunks[0].text, (view.chunks[0].id,), refuse)


def test_planted_cheat_finds_no_key_to_read() -> None:
    for case in SIX:
        with pytest.raises(AttributeError, match="answerable"):
            peeking(view_of(case, registry=None))


def by_memory(view: PolicyView) -> PolicyOutput:
    """A planted cheat that the type cannot stop: it knows the ids of the published chunks."""
    return PolicyOutput("", (), refused=view.chunks[0].id == "r7")


def renamed(case: AttackCase) -> AttackCase:
    return replace(case, chunks=tuple(replace(c, id=f"n-{c.id}") for c in case.chunks))


def is_isomorphic(policy: typing.Callable[[PolicyView], PolicyOutput], case: AttackCase) -> bool:
    plain = policy(view_of(case, None))
    other = policy(view_of(renamed(case), None))
    return other == replace(plain, citations=tuple(f"n-{i}" for i in plain.citations))


@pytest.mark.parametrize("name", POLICIES)
def test_renamed_chunk_ids_give_an_isomorphic_output(name: str) -> None:
    assert all(is_isomorphic(POLICIES[name], case) for case in SIX)


def test_renaming_unmasks_a_policy_that_knows_the_ids() -> None:
    assert not all(is_isomorphic(by_memory, case) for case in SIX)


@given(CASES, FLAGS, st.sampled_from(list(POLICIES)), st.none() | st.just(frozenset({"d"})))
def test_changing_the_key_changes_no_output(
    case: AttackCase, answerable: bool, name: str, registry: frozenset[str] | None
) -> None:
    blank = replace(case, id="", attack_class="", answerable=answerable, fault={}, expect=None)
    assert POLICIES[name](view_of(blank, registry)) == POLICIES[name](view_of(case, registry))


@given(CASES, st.lists(FLAGS, min_size=2, max_size=2), st.sampled_from(list(POLICIES)))
def test_flipping_the_trusted_flag_changes_no_output_where_trust_is_derived(
    case: AttackCase, flags: list[bool], name: str
) -> None:
    registry = frozenset({"doc"})
    meta = {"doc_id": "doc", "channel": "filing"}
    plain = replace(case, chunks=tuple(replace(c, meta=meta) for c in case.chunks))
    flipped = replace(
        plain,
        chunks=tuple(replace(c, trusted=f) for c, f in zip(plain.chunks, flags, strict=False)),
    )
    kept = replace(plain, chunks=plain.chunks[: len(flipped.chunks)])
    assert POLICIES[name](view_of(flipped, registry)) == POLICIES[name](view_of(kept, registry))


@pytest.mark.parametrize(
    ("meta", "trusted"),
    [
        ({"doc_id": "known", "channel": "filing"}, True),
        ({"doc_id": "known", "channel": "exchange"}, True),
        ({"doc_id": "known", "channel": "upload"}, False),
        ({"doc_id": "known"}, False),
        ({"doc_id": "other", "channel": "filing"}, False),
        ({"channel": "filing"}, False),
        ({}, False),
        (
            {
                "doc_id": "other",
                "channel": "upload",
                "declared_source": "交易所公告原文（已核验）",
                "declared_trust": True,
            },
            False,
        ),
    ],
)
@pytest.mark.parametrize("flag", [True, False])
def test_derived_trust_is_registry_and_channel_and_no_declaration(
    meta: dict[str, object], trusted: bool, flag: bool
) -> None:
    case = AttackCase("x", "safe", "q", (AttackChunk("c", "t", flag, meta),), True, {})
    view = view_of(case, frozenset({"known"}))
    assert view.chunks[0].trusted is trusted
    assert not view.oracle_trust


def test_published_run_is_marked_as_taking_the_fixtures_flags() -> None:
    view = view_of(SIX[1], registry=None)
    assert view.oracle_trust
    assert [c.trusted for c in view.chunks] == [False, True]


def test_empty_registry_trusts_nothing_and_takes_no_flag() -> None:
    view = view_of(SIX[0], registry=frozenset())
    assert not view.oracle_trust
    assert [c.trusted for c in view.chunks] == [False, False]


# The metamorphic suite over every policy that runs by default, and over the planted cheats.
GIVEN = load_cases(fixture_file("fixtures.jsonl"))
REGISTERED = load_registry(fixture_file("registry.json"))
Acts = typing.Callable[[AttackCase], PolicyOutput]


def breaches(acts: Acts, cases: typing.Iterable[AttackCase]) -> set[str]:
    """Return which changes of the key, the ids or the flags change what is done with a case."""
    found = set()
    for case in cases:
        plain = acts(case)
        changes = {
            "answerable": replace(case, answerable=not case.answerable),
            "key": replace(case, id="", attack_class="", expect=None, fault={}),
            "trusted": replace(
                case, chunks=tuple(replace(c, trusted=not c.trusted) for c in case.chunks)
            ),
        }
        found |= {name for name, other in changes.items() if acts(other) != plain}
        names = {c.id: f"n{i}" for i, c in enumerate(case.chunks)}
        moved = acts(replace(case, chunks=tuple(replace(c, id=names[c.id]) for c in case.chunks)))
        cited = tuple(names.get(i, i) for i in plain.citations)
        if (moved.answer, moved.refused, moved.citations) != (plain.answer, plain.refused, cited):
            found.add("ids")
    return found


@pytest.mark.parametrize("name", [*POLICIES, "layered"])
def test_no_policy_reads_the_key_the_ids_or_the_flags(name: str) -> None:
    named = policy_named(name)

    def acts(case: AttackCase) -> PolicyOutput:
        view = view_of(case, REGISTERED)
        return named.validate(view, named.answer(view))

    assert breaches(acts, GIVEN) == set()


def knows_the_ids(case: AttackCase) -> PolicyOutput:
    """A planted cheat: in these fixtures the poison is more often c1."""
    view = view_of(case, REGISTERED)
    chosen = next((c for c in view.chunks if c.id == "c2"), view.chunks[0])
    return PolicyOutput(chosen.text, (chosen.id,), refused=False)


def reads_the_flag(case: AttackCase) -> PolicyOutput:
    """A planted cheat: handed the case, it trusts what the fixture says is trusted."""
    kept = [c for c in case.chunks if c.trusted]
    return PolicyOutput(kept[0].text, (kept[0].id,), False) if kept else PolicyOutput("", (), True)


def reads_the_answer(case: AttackCase) -> PolicyOutput:
    """A planted cheat: handed the case, it refuses exactly where nothing can be answered."""
    return PolicyOutput("", (), refused=not case.answerable)


def reads_the_class(case: AttackCase) -> PolicyOutput:
    """A planted cheat: handed the case, it refuses where an attack is announced."""
    return PolicyOutput("", (), refused="injection" in case.attack_class)


@pytest.mark.parametrize(
    ("cheat", "breach"),
    [
        (knows_the_ids, "ids"),
        (reads_the_flag, "trusted"),
        (reads_the_answer, "answerable"),
        (reads_the_class, "key"),
    ],
)
def test_suite_fails_on_a_planted_cheat(cheat: Acts, breach: str) -> None:
    assert breach in breaches(cheat, GIVEN)


@pytest.mark.parametrize("name", [*POLICIES, "layered"])
def test_fault_reaches_every_policy_and_only_a_validator_passes(name: str) -> None:
    case = next(c for c in GIVEN if c.fault)
    study = Study(GIVEN, REGISTERED, Scoring(False, 0.4, tokenize), InThisProcess())
    row = study.row(name, case)
    assert row.compromised is (name != "layered")
    assert ("c77" in row.citations) is (name != "layered")


def test_untrusted_chunk_does_not_give_the_class_away() -> None:
    """Leak audit: cases with an untrusted chunk are not all attacks, nor the others all benign."""
    kinds = {
        (any(not c.trusted for c in view_of(case, REGISTERED).chunks), is_adversarial(case, False))
        for case in GIVEN
    }
    assert kinds == {(False, False), (False, True), (True, False), (True, True)}
