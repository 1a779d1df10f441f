"""JSON schemas of what is asked for: strict for the endpoint, flat for labelled text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.core.fingerprint import digest

if TYPE_CHECKING:
    from pydantic import BaseModel

_SCALARS = frozenset({"string", "number", "integer", "boolean", "null"})


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a model as strict endpoints want it.

    Every object is closed and every field required; titles and defaults, which are no rules, are
    left out (OpenAI, "Structured outputs", supported schemas).
    """
    whole = model.model_json_schema()
    return dict(_strict(whole, whole))


def _strict(node: Any, root: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_strict(each, root) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node and len(node) > 1:
        # a reference may have nothing beside it there
        target = root["$defs"][node["$ref"].rsplit("/", 1)[-1]]
        node = {**target, **{k: v for k, v in node.items() if k != "$ref"}}
    found: dict[str, Any] = {}
    for name, value in node.items():
        if name in ("properties", "$defs"):
            found[name] = {each: _strict(sub, root) for each, sub in value.items()}
        elif name in ("enum", "const", "required", "examples"):
            found[name] = value
        elif name not in ("title", "default"):
            found[name] = _strict(value, root)
    if found.get("type") == "object":
        found.setdefault("properties", {})
        found["additionalProperties"] = False
        found["required"] = list(found["properties"])
    return found


def schema_digest(model: type[BaseModel] | None) -> str:
    """Return the tagged digest of a model's strict schema; empty where none is asked for."""
    return digest(strict_schema(model)) if model is not None else ""


def flat_fields(model: type[BaseModel]) -> dict[str, frozenset[str]]:
    """Return field -> its JSON types where every field is a scalar; else nothing.

    Such a schema can be asked for as lines of `name: value`, which small models keep better.
    """
    schema = strict_schema(model)
    fields = {}
    for name, node in schema["properties"].items():
        kinds = _kinds(node, schema)
        if not kinds or not kinds <= _SCALARS:
            return {}
        fields[name] = kinds
    return fields


def _kinds(node: dict[str, Any], root: dict[str, Any]) -> frozenset[str]:
    if "$ref" in node:
        return _kinds(root["$defs"][node["$ref"].rsplit("/", 1)[-1]], root)
    if "anyOf" in node:
        return frozenset().union(*(_kinds(each, root) for each in node["anyOf"]))
    if isinstance(node.get("type"), str):
        return frozenset({node["type"]})
    values = node.get("enum", [node["const"]] if "const" in node else [])
    return frozenset(
        "boolean" if isinstance(v, bool) else "number" if isinstance(v, int | float) else "string"
        for v in values
    )
