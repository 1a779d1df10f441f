"""What every reply schema shares: nothing unknown, nothing converted, nothing without a bound.

The bounds of texts are checked here and left out of the JSON schema: strict endpoints refuse a
schema with minLength or maxLength. Closed sets are literals, so that a reply is the same whether it
is read from JSON or from a dict.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict

LONGEST = 20_000


def _bounded(text: str) -> str:
    if len(text) > LONGEST:
        raise ValueError(f"longer than {LONGEST} characters")
    return text


def _without_description(schema: dict[str, Any]) -> None:
    # A docstring is for us; sent along, its rewording would make every call a new one.
    schema.pop("description", None)


Text = Annotated[str, AfterValidator(_bounded)]


class Reply(BaseModel):
    """The root of all reply schemas: strict types, no unknown key."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, json_schema_extra=_without_description
    )
