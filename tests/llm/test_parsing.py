"""Reading a content, whatever stands around it or in it."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from ragdash.core.call import CallReason, Level
from ragdash.llm.parsing import parse, without_thought
from ragdash.llm.schema import flat_fields, strict_schema


class Word(StrEnum):
    YES = "supported"
    NO = "contradicted"


class Claim(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: int
    word: Word
    quote: str | None = None


class Claims(BaseModel):
    model_config = ConfigDict(extra="forbid")
    claims: list[Claim]


class Flat(BaseModel):
    model_config = ConfigDict(extra="forbid")
    score: float
    sure: bool
    word: Word
    grade: Literal[0, 1, 2]
    quote: str


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
claims = st.builds(
    Claims,
    claims=st.lists(
        st.builds(Claim, id=st.integers(0, 99), word=st.sampled_from(Word), quote=texts)
    ),
)
no_braces = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="{}<>"), max_size=60
)


@settings(deadline=None, max_examples=60)
@given(claims, no_braces, no_braces)
def test_an_object_is_found_in_any_prose_without_braces(whole, before, after) -> None:
    for content in (
        f"{before}{whole.model_dump_json()}{after}",
        f"<think>{before}</think>{whole.model_dump_json(indent=2)}",
        f"```json\n{whole.model_dump_json()}\n```{after}",
    ):
        for level in Level:
            assert parse(content, Claims, level) == (whole, CallReason.NONE, "")


@settings(deadline=None, max_examples=60)
@given(st.text() | st.builds(json.dumps, st.recursive(st.none() | texts | st.floats(), st.lists)))
def test_no_content_raises_and_what_is_not_read_has_a_reason(content) -> None:
    for schema in (Claims, Flat):
        for level in Level:
            parsed, reason, detail = parse(content, schema, level)
            assert (parsed is None) == bool(reason)
            assert bool(reason) == bool(detail)


@settings(deadline=None, max_examples=60)
@given(claims, claims)
def test_two_objects_are_never_read_as_one_of_them(one, two) -> None:
    content = f"{one.model_dump_json()}\n{two.model_dump_json()}"
    assert parse(content, Claims, Level.TEXT)[1] is CallReason.INVALID_JSON


@settings(deadline=None, max_examples=60)
@given(
    st.floats(0, 1),
    st.booleans(),
    st.sampled_from(Word),
    st.integers(0, 2),
    st.text("ab 营:", max_size=9),
)
def test_labelled_lines_are_read_as_json_is(score, sure, word, grade, quote) -> None:
    text = (
        f"score: {score}\nsure: {str(sure).lower()}\nword: {word}\ngrade: {grade}\nquote: {quote}"
    )
    parsed, reason, _ = parse(text, Flat, Level.TEXT)
    assert reason == ""
    assert parsed == Flat(score=score, sure=sure, word=word, grade=grade, quote=quote.strip())


def test_words_for_true_are_no_boolean() -> None:
    # 否 counted as faithful elsewhere
    for word in ("yes", "是", "否", "True", "1"):
        text = f"score: 1\nsure: {word}\nword: supported\ngrade: 1\nquote: a"
        assert parse(text, Flat, Level.TEXT)[1] is CallReason.INVALID_JSON


def test_a_boolean_is_no_grade_and_no_score() -> None:
    good = {"score": 1, "sure": True, "word": "supported", "grade": 1, "quote": ""}
    assert parse(json.dumps(good), Flat, Level.JSON_SCHEMA)[1] == ""
    for field in ("score", "grade"):
        content = json.dumps(good | {field: True})
        assert parse(content, Flat, Level.JSON_SCHEMA)[1] is CallReason.OUT_OF_RANGE


def test_a_thought_in_a_quote_is_a_part_of_the_quote() -> None:
    content = '{"claims": [{"id": 1, "word": "supported", "quote": "a </think> {b}"}]}'
    parsed, _, _ = parse(content, Claims, Level.JSON_OBJECT)
    assert parsed.claims[0].quote == "a </think> {b}"
    assert without_thought("答案") == "答案"
    assert without_thought("<think>a</think>\n答案") == "答案"


def test_strict_schemas_are_closed_and_keep_fields_named_like_keywords() -> None:
    class Odd(BaseModel):
        title: str = "x"
        default: int = 1
        claim: Claim = Claim(id=1, word=Word.YES)

    schema = strict_schema(Odd)
    assert schema["required"] == ["title", "default", "claim"]
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Claim"]["required"] == ["id", "word", "quote"]
    assert "title" not in schema["properties"]["title"]
    assert "default" not in schema["properties"]["default"]
    assert flat_fields(Odd) == {}
    assert flat_fields(Flat)["grade"] == {"integer"}
