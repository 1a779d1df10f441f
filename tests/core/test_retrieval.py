"""A mode is one of ours or another system's own name; equal names are one mode everywhere."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.core.fingerprint import canonical_json
from ragdash.core.retrieval import MODE_NAME, Mode
from ragdash.core.run import RunInfo
from ragdash.store.codec import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = st.from_regex(MODE_NAME, fullmatch=True)


@given(NAMES)
def test_equal_names_are_one_mode(name: str) -> None:
    one, other = Mode(name), Mode(name)

    assert one == other == name
    assert {one: 1}[other] == {name: 1}[one] == 1
    assert (one.value, str(one), f"{one}") == (name, name, name)
    assert type(one.value) is str
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    assert json.loads(canonical_json([one])) == [name]


@given(NAMES)
def test_another_systems_mode_is_none_of_ours(name: str) -> None:
    mode = Mode(name)

    assert mode.is_ours == (name in ("dense", "hybrid", "rerank"))
    assert list(Mode) == ["dense", "hybrid", "rerank"]


def test_ours_are_the_very_members_however_they_are_named() -> None:
    assert Mode("rerank") is Mode.RERANK


@pytest.mark.parametrize("name", ["我的-RAG_2.0", "v2", "Dense", "5"])
def test_names_of_any_script_are_taken(name: str, make_info: Callable[..., RunInfo]) -> None:
    info = make_info(modes=(Mode.DENSE, Mode(name)))

    assert decode(RunInfo, encode(info)) == info


@pytest.mark.parametrize(
    "name", ["", "a:b", "../x", "-x", "_x", ".x", "a b", "x" * 61, "a\n", "a\u202eb", None, 5]
)
def test_other_names_are_refused(name: object) -> None:
    with pytest.raises(ValueError, match="is not a valid Mode"):
        Mode(name)  # type: ignore[arg-type]
