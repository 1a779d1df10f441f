"""The content of a reply read as its schema: stripped, parsed once, never repaired."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ragdash.core.call import CallReason, Level
from ragdash.llm.schema import flat_fields
from ragdash.llm.text import brief

if TYPE_CHECKING:
    from pydantic import BaseModel

# prose with more braces than this holds no verdict
_MOST_BRACES = 64
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_THOUGHT = re.compile(r"\s*<(think|thinking|reasoning)>", re.I)
_END_OF_THOUGHT = re.compile(r"</(?:think|thinking|reasoning)>", re.I)
_NUMBER_ERRORS = frozenset(
    {
        *("float_type", "float_parsing", "int_type", "int_parsing", "int_from_float"),
        *("int_parsing_size", "finite_number", "multiple_of"),
        *("greater_than", "greater_than_equal", "less_than", "less_than_equal"),
        *("decimal_type", "decimal_parsing", "decimal_max_digits", "decimal_max_places"),
        *("decimal_whole_digits",),
    }
)


class _NotFiniteError(ValueError):
    pass


class _TwiceError(ValueError):
    pass


def parse(
    content: str, schema: type[BaseModel], level: Level
) -> tuple[BaseModel | None, CallReason, str]:
    """Return the parsed reply, or None with the reason and a sentence.

    A thought, a fence and prose around the JSON are stripped. Prose with two JSON objects in it is
    ambiguous and is not read; nor is an object that has a key twice. A number that is none, is not
    finite or lies outside its range is out_of_range; any other difference is invalid_json.
    """
    text = without_thought(content)
    if level is Level.TEXT and not text.startswith("{"):
        labelled = _labelled(text, schema)
        if labelled is not None:
            return _validated(labelled, schema)
    found, why = _the_object(text)
    if found is None:
        return None, CallReason.INVALID_JSON, why
    return _validated(found, schema)


def without_thought(content: str) -> str:
    """Return a reply without the thoughts that some models write before it.

    The opening mark may be part of the model's template, and then only the closing one is seen.
    """
    text = content.strip().lstrip("\ufeff")
    if text.startswith("{"):
        return text
    end = _END_OF_THOUGHT.search(text)
    if end is not None:
        return text[end.end() :].strip()
    return "" if _THOUGHT.match(text) else text


def _the_object(text: str) -> tuple[str | None, str]:
    """Return the one JSON object of a text as it stands there, or None and why."""
    if text.startswith("{") and text.endswith("}") and _end_of_object(text, 0) == len(text):
        return text, ""
    found: list[str] = []
    at, braces = text.find("{"), 0
    while at >= 0 and braces < _MOST_BRACES:
        braces += 1
        end = _end_of_object(text, at)
        if end is not None:
            found.append(text[at:end])
        at = text.find("{", at + 1 if end is None else end)
    if len(found) == 1 and at < 0:
        return found[0], ""
    return None, f"{len(found)} JSON objects in the reply" if found else "no JSON in the reply"


def _end_of_object(text: str, start: int) -> int | None:
    try:
        return json.JSONDecoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def _validated(text: str, schema: type[BaseModel]) -> tuple[BaseModel | None, CallReason, str]:
    try:
        data = json.loads(
            text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_each_once
        )
        found = schema.model_validate_json(text, strict=True)
        if _has_boolean_for_number(data, found.model_dump(mode="json", by_alias=True)):
            return None, CallReason.OUT_OF_RANGE, "a boolean in place of a number"
        return found, CallReason.NONE, ""
    except _NotFiniteError as error:
        return None, CallReason.OUT_OF_RANGE, str(error)
    except ValidationError as error:
        return None, *_graded(error)
    except (ValueError, RecursionError) as error:
        return None, CallReason.INVALID_JSON, brief(str(error))


def _has_boolean_for_number(data: Any, read: Any) -> bool:
    """Return whether `true` was read as 1: to pydantic it is one of the values 0, 1, 2 and 3."""
    if isinstance(data, dict) and isinstance(read, dict):
        return any(_has_boolean_for_number(data[k], read[k]) for k in data.keys() & read.keys())
    if isinstance(data, list) and isinstance(read, list):
        return any(map(_has_boolean_for_number, data, read))
    return isinstance(data, bool) and not isinstance(read, bool)


def _refuse(name: str) -> float:
    raise _NotFiniteError(f"{name} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _NotFiniteError(f"{brief(text, 40)} is beyond every range")
    return value


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _TwiceError("a key stands twice in one object")
    return found


def _graded(error: ValidationError) -> tuple[CallReason, str]:
    faults = error.errors(include_url=False, include_input=False)
    told = "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'reply'}: {fault['msg']}" for fault in faults[:3]
    )
    numbers = any(_about_a_number(fault) for fault in faults)
    return (CallReason.OUT_OF_RANGE if numbers else CallReason.INVALID_JSON), brief(told)


def _about_a_number(fault: Any) -> bool:
    if fault["type"] in ("literal_error", "enum"):
        # a grade of 0, 1, 2 or 3 is a number too; words stand in quotes there
        return "'" not in str(fault.get("ctx", {}).get("expected", "'"))
    return fault["type"] in _NUMBER_ERRORS


def _labelled(text: str, schema: type[BaseModel]) -> str | None:
    """Return lines of `name: value` as JSON text; None where they are not the fields, each once."""
    fields = flat_fields(schema)
    if not fields:
        return None
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, mark, value = line.replace("：", ":", 1).partition(":")
        name = name.strip().strip("*_`#->• ").strip()
        if not mark or name not in fields:
            continue
        if name in found:
            return None
        found[name] = value.strip().strip("*`").strip()
    if set(found) != set(fields):
        return None
    return "{" + ",".join(f"{json.dumps(n)}:{_value(v, fields[n])}" for n, v in found.items()) + "}"


def _value(text: str, kinds: frozenset[str]) -> str:
    """Return a labelled value as JSON: bare where its field takes such a value, else a string."""
    if text in ("true", "false") and "boolean" in kinds:
        return text
    if text == "null" and "null" in kinds:
        return text
    if _NUMBER.fullmatch(text) and kinds & {"number", "integer"}:
        return text
    return json.dumps(text, ensure_ascii=False)
