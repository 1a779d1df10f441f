"""A policy cannot read the answer key: not by type, and not in effect."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.attack.cases import load_cases, published_fixtures
from ragdash.attack.policies import POLICIES
from ragdash.attack.view import view_of
from ragdash.core import attack
from ragdash.core.attack import AttackCase, AttackChunk, PolicyOutput, PolicyView, ViewChunk

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
        *("declared_source", "declared_trust", "hidden_spans", "restated"),
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
