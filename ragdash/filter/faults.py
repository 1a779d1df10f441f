"""What is wrong with a filter: one sentence in both languages, and where."""

from __future__ import annotations

from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING

from ragdash.core.diagnosis import Sentence
from ragdash.core.errors import InputError
from ragdash.jsonlines import printable
from ragdash.store.folding import folded

if TYPE_CHECKING:
    from collections.abc import Iterable


class BadFilter(InputError):  # noqa: N818 - what is bad is the filter
    """A filter cannot be read.

    Attributes:
        position: of the character where it goes wrong, from 1.
        said: the sentence in both languages; `str()` is the English one.
    """

    def __init__(self, position: int, en: str, zh: str) -> None:
        super().__init__(f"filter, character {position}: {en}")
        self.position = position
        self.said = Sentence(str(self), f"筛选条件第 {position} 个字符：{zh}")


def shown(text: str) -> str:
    """Return what somebody typed, short and on one line."""
    return printable(text, 40)


def unknown_field(position: int, word: str, known: Iterable[str]) -> BadFilter:
    """Return the fault of a name that is no field."""
    name, near = shown(word), _near(word, known)
    if near:
        return BadFilter(
            position,
            f"unknown field {name}: did you mean {near}?",
            f"没有字段 {name}：是否指 {near}？",
        )
    return BadFilter(
        position,
        f"unknown field {name}: write one of the list, as outcome, layer or company, "
        "or put the text in quotes",
        f"没有字段 {name}：请用列表中的字段，如 结果、层、公司，或将文字加上引号",
    )


def unknown_value(position: int, name: str, word: str, known: dict[str, str]) -> BadFilter:
    """Return the fault of a value that a field cannot have.

    Args:
        position: of the value.
        name: the field.
        word: what was written.
        known: codes by each of their spellings.
    """
    value, near = shown(word), _near(word, known)
    if near:
        return BadFilter(
            position,
            f"{name} is never {value}: did you mean {near}?",
            f"{name} 没有取值 {value}：是否指 {near}？",
        )
    some = ", ".join(list(dict.fromkeys(known.values()))[:12])
    return BadFilter(
        position,
        f"{name} is never {value}: it is one of {some}",
        f"{name} 没有取值 {value}：可选 {some}",
    )


def _near(word: str, known: Iterable[str]) -> str:
    """Return the nearest spellings, at most three that are as near; empty where none is near."""
    asked, names = folded(word), list(known)
    # A Chinese word of two characters with one of them wrong is half of itself.
    found = get_close_matches(asked, names, n=3, cutoff=0.6 if len(asked) > 3 else 0.5)
    ratios = [SequenceMatcher(None, name, asked).ratio() for name in found]
    return ", ".join(n for n, r in zip(found, ratios, strict=True) if r >= ratios[0] - 0.05)
