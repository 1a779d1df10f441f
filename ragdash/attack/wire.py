"""A view and an output as JSON: what crosses to the process of a policy, and what comes back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragdash.core.attack import PolicyOutput, Quote
from ragdash.core.errors import InputError
from ragdash.jsonlines import explained
from ragdash.store.codec import decode, encode

if TYPE_CHECKING:
    from ragdash.core.attack import PolicyView

Name = Annotated[str, Field(max_length=500)]
_LONGEST = 20_000_000


class _Quote(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    chunk_id: Name
    text: str


class _Output(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    answer: Annotated[str, Field(max_length=_LONGEST)]
    citations: list[Name] = []
    refused: bool = False
    actions: list[Name] = []
    flags: list[Name] = []
    fired: list[Name] = []
    quotes: list[_Quote] = []


def view_object(view: PolicyView) -> dict[str, Any]:
    """Return a view as plain JSON types."""
    return encode(view)


def output_object(output: PolicyOutput) -> dict[str, Any]:
    """Return an output as a policy of another language gets it back for its own checks."""
    return {
        "answer": output.answer,
        "citations": list(output.citations),
        "refused": output.refused,
        "actions": list(output.actions),
        "flags": list(output.flags),
        "fired": list(output.fired),
        "quotes": [{"chunk_id": q.chunk_id, "text": q.text} for q in output.quotes],
    }


def read_output(found: Any, of: str) -> PolicyOutput:
    """Return the output that a policy of the user's own has given as a JSON object.

    Raises:
        InputError: it is none; the text says which key, in one sentence.
    """
    try:
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode("utf-8")
        out = _Output.model_validate(found)
    except ValidationError as error:
        raise InputError(f"{of} gave no output: {explained(error)}.") from error
    except (TypeError, ValueError) as error:
        raise InputError(f"{of} gave what is no JSON ({type(error).__name__}).") from error
    return PolicyOutput(
        answer=out.answer,
        citations=tuple(out.citations),
        refused=out.refused,
        actions=tuple(out.actions),
        flags=tuple(out.flags),
        fired=tuple(out.fired),
        quotes=tuple(Quote(q.chunk_id, q.text) for q in out.quotes),
    )


def encode_output(output: PolicyOutput) -> dict[str, Any]:
    """Return an output of one of our own policies whole, with its trace."""
    return encode(output)


def decode_output(plain: dict[str, Any]) -> PolicyOutput:
    """Return what `encode_output` was given."""
    return decode(PolicyOutput, plain)
