"""What each level puts into a request: a response format, or words about the form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ragdash.core.call import Level
from ragdash.llm.base import Message
from ragdash.llm.schema import flat_fields, strict_schema
from ragdash.llm.text import well_formed

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ragdash.llm.base import ChatRequest

_JSON = {
    "zh": (
        "只回复一个 JSON 对象，不要代码围栏，不要其他文字。它必须符合这个 JSON schema：\n{schema}"
    ),
    "en": (
        "Reply with one JSON object only: no code fence, no other text. It must follow this JSON "
        "schema:\n{schema}"
    ),
}
_LINES = {
    "zh": "只回复以下各行，每行一个“名称: 值”，名称照抄，不要其他文字：\n{lines}",
    "en": (
        'Reply with these lines only, one "name: value" each, names as they stand here, no other '
        "text:\n{lines}"
    ),
}
_KEPT = ("enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def worded(request: ChatRequest, level: Level) -> tuple[Message, ...]:
    """Return the messages of a request as they are sent at a level.

    The form is told in the system message: what a user message holds is data.
    """
    messages = tuple(Message(m.role, well_formed(m.content)) for m in request.messages)
    if request.schema is None or level is Level.JSON_SCHEMA:
        return messages
    language = "zh" if any("\u4e00" <= c <= "\u9fff" for c in _instructions(messages)) else "en"
    form = _form(request.schema, level, language)
    first = messages[0] if messages else None
    if first is not None and first.role == "system":
        return (Message("system", f"{first.content}\n\n{form}"), *messages[1:])
    return (Message("system", form), *messages)


def _instructions(messages: tuple[Message, ...]) -> str:
    return messages[0].content if messages else ""


def _form(schema: type[BaseModel], level: Level, language: str) -> str:
    fields = flat_fields(schema) if level is Level.TEXT else {}
    if not fields:
        text = json.dumps(strict_schema(schema), ensure_ascii=False)
        return _JSON[language].replace("{schema}", text)
    nodes = strict_schema(schema)["properties"]
    lines = (f"{name}: <{_rule(nodes[name], kinds)}>" for name, kinds in fields.items())
    return _LINES[language].replace("{lines}", "\n".join(lines))


def _rule(node: dict[str, Any], kinds: frozenset[str]) -> str:
    rules = [
        f"{name} {json.dumps(node[name], ensure_ascii=False)}" for name in _KEPT if name in node
    ]
    told = [" | ".join(sorted(kinds)), *rules, node.get("description", "")]
    return ", ".join(filter(None, told))


def response_format(schema: type[BaseModel] | None, level: Level) -> dict[str, Any] | None:
    """Return the response_format of a level; None where it has none."""
    if schema is None or level is Level.TEXT:
        return None
    if level is Level.JSON_OBJECT:
        return {"type": "json_object"}
    named = {"name": schema.__name__.lstrip("_"), "schema": strict_schema(schema), "strict": True}
    return {"type": "json_schema", "json_schema": named}
