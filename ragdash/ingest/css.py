"""The few CSS properties that hide text or break pages, from style attributes and sheets.

Selectors are compounds of names, classes and ids, joined by blanks or ">". A rule with any other
selector, or under a media query that is not for screens, is not applied; where such a rule paints
a background, backgrounds are not known and no text is called hidden by its colour.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragdash.ingest.budget import Budget

_KEPT_NAMES = (
    "display visibility opacity font font-size color background background-color background-image"
    " position left right top bottom text-indent width height max-width max-height overflow"
    " clip clip-path page-break-before page-break-after break-before break-after page"
)
KEPT = frozenset(_KEPT_NAMES.split())
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARATION = re.compile(r"([\w-]++)\s*+:\s*+((?:[^;(\"']|\([^)]*+\)|\"[^\"]*+\"|'[^']*+')++)")
_COMPOUND = re.compile(r"(\*|[\w-]+)?((?:[.#][\w-]+)*)")
_SCREEN = re.compile(r"@media\s+(?:only\s+)?(?:all|screen)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a selector can ask of an element."""

    name: str
    id: str
    classes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Compound:
    """A part of a selector without combinators; `child` when only the parent may match it."""

    name: str
    id: str
    classes: frozenset[str]
    child: bool = False

    def matches(self, element: Identity) -> bool:
        """Whether an element answers to it."""
        return (
            self.name in ("", element.name)
            and self.id in ("", element.id)
            and self.classes <= element.classes
        )


Rule = tuple[int, tuple[Compound, ...], dict[str, str]]
"""Its place in the sheet, the compounds from the subject outwards, and what it declares."""


@dataclass(slots=True)
class Sheet:
    """The rules of all style elements of a document, by what their subject asks for."""

    budget: Budget
    by_key: dict[str, list[Rule]] = field(default_factory=dict)
    unsure_backgrounds: bool = False
    _count: int = 0

    def read(self, css: str) -> None:
        """Take the rules of one style element in."""
        for selectors, body in _rules(_COMMENT.sub(" ", css)):
            declared = declarations(body)
            if not declared:
                continue
            for selector in selectors.split(","):
                compounds = _compounds(selector.strip())
                if compounds is None:
                    self.unsure_backgrounds |= any(k.startswith("background") for k in declared)
                    continue
                self._count += 1
                subject = compounds[0]
                key = (subject.id and f"#{subject.id}") or min(subject.classes, default="")
                self.by_key.setdefault(key or subject.name or "*", []).append(
                    (self._count, compounds, declared)
                )

    def declared(self, element: Identity, above: list[Identity]) -> dict[str, str]:
        """Return what the sheet says of an element, `above` being its ancestors, root first.

        Raises:
            InputError: the budget is spent.
        """
        if not self.by_key:
            return {}
        keys = (element.name, "*", *element.classes, *((f"#{element.id}",) if element.id else ()))
        found: list[tuple[tuple[int, int, int, int], dict[str, str]]] = []
        for key in dict.fromkeys(keys):
            for place, compounds, says in self.by_key.get(key, ()):
                self.budget.spend(1, "its style sheet")
                if compounds[0].matches(element) and self._under(compounds[1:], above):
                    found.append(((*_specificity(compounds), place), says))
        merged: dict[str, str] = {}
        for _, says in sorted(found, key=lambda f: f[0]):
            merged.update(says)
        return merged

    def _under(self, outer: tuple[Compound, ...], above: list[Identity]) -> bool:
        """Whether the ancestors answer to the outer parts, innermost first, nearest taken."""
        place = len(above)
        for compound in outer:
            while True:
                place -= 1
                self.budget.spend(1, "its style sheet")
                if place < 0:
                    return False
                if compound.matches(above[place]):
                    break
                if compound.child:
                    return False
        return True


def _specificity(compounds: tuple[Compound, ...]) -> tuple[int, int, int]:
    ids = sum(bool(c.id) for c in compounds)
    classes = sum(len(c.classes) for c in compounds)
    return ids, classes, sum(bool(c.name) for c in compounds)


@lru_cache(maxsize=20_000)
def declarations(text: str) -> dict[str, str]:
    """Return the kept properties of a declaration block, values in lower case; do not change it."""
    found: dict[str, str] = {}
    for name, value in _DECLARATION.findall(text):
        if name.lower() in KEPT:
            found[name.lower()] = value.lower().replace("!important", "").strip()
    return found


def _rules(css: str) -> list[tuple[str, str]]:
    """Selectors and bodies; what a screen query holds counts, what other at-rules hold does not."""
    found: list[tuple[str, str]] = []
    at = 0
    while (opened := css.find("{", at)) >= 0:
        prelude = css[at:opened].rpartition(";")[2].strip().lstrip("}").strip()
        if _SCREEN.fullmatch(prelude):
            at = opened + 1
            continue
        end = _block_end(css, opened)
        if not prelude.startswith("@"):
            found.append((prelude, css[opened + 1 : end]))
        at = end + 1
    return found


def _block_end(css: str, opened: int) -> int:
    depth = 0
    for mark in re.compile("[{}]").finditer(css, opened):
        depth += 1 if mark[0] == "{" else -1
        if not depth:
            return mark.start()
    return len(css)


def _compounds(selector: str) -> tuple[Compound, ...] | None:
    """The parts of a selector from the subject outwards; None where it is of another kind."""
    parts: list[Compound] = []
    child = False
    for word in reversed(selector.replace(">", " > ").split()):
        if word == ">":
            child = True
            continue
        found = _COMPOUND.fullmatch(word)
        if found is None:
            return None
        marks = re.findall(r"([.#])([\w-]+)", found[2])
        name = (found[1] or "").lower().replace("*", "")
        ids = [m for sign, m in marks if sign == "#"]
        classes = frozenset(m for sign, m in marks if sign == ".")
        parts.append(Compound(name, ids[0] if ids else "", classes, child))
        child = False
    return tuple(parts) or None
