"""What the layered policy works on: passages, the figures in them, and what was decided so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragdash.core.attack import ChunkMeta, ControlTrace

if TYPE_CHECKING:
    from ragdash.amounts import Amount


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk on its way through the controls; `place` is its place in the view, from 0.

    `text` is what is left of the chunk.
    """

    place: int
    id: str
    text: str
    trusted: bool
    meta: ChunkMeta


@dataclass(frozen=True, slots=True)
class Target:
    """One figure that is asked for: one of these metric keys, of one year and part of it."""

    keys: frozenset[str]
    year: int | None
    part: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """What a query asks for.

    `bare` is the query without the company's name. `words` are its terms beside metric, company and
    period; `kinds` the kinds of figure that would answer it, empty where any would. `wants_name`
    says that it asks who somebody is.
    """

    query: str
    bare: str
    lang: str
    company: str
    other_company: bool
    targets: tuple[Target, ...]
    words: frozenset[str]
    kinds: frozenset[str]
    wants_figure: bool
    scope: str | None
    wants_name: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure (`amount`), or a sentence where a text is asked for, that may answer a target.

    `span` is the sentence or row in the passage's text. `score` is how many of the asked words
    stand with it, as a share, 0 to 1. `key` is the metric that the figure stands under.
    """

    passage: Passage
    target: Target
    span: tuple[int, int]
    amount: Amount | None
    key: str | None
    year: int | None
    part: str | None
    score: float

    @property
    def sentence(self) -> str:
        """The sentence or row, as it is in the passage."""
        return self.passage.text[slice(*self.span)]


@dataclass(frozen=True, slots=True)
class Working:
    """The state between two controls; every control returns a new one."""

    query: str
    passages: tuple[Passage, ...]
    asked: Asked | None = None
    findings: tuple[Finding, ...] = ()
    flags: tuple[str, ...] = ()
    trace: tuple[ControlTrace, ...] = ()
    gated: bool = False

    def noted(self, control: str, decision: str, chunk_id: str, reason: str) -> Working:
        """Return the same state with one more line of the trace."""
        return self.traced([traced(control, decision, chunk_id, reason)])

    def traced(self, lines: list[ControlTrace]) -> Working:
        """Return the same state with these lines of the trace behind the others."""
        return replace(self, trace=(*self.trace, *lines)) if lines else self


def traced(control: str, decision: str, chunk_id: str, reason: str) -> ControlTrace:
    """Return a line of the trace, its reason cut to 200 characters."""
    return ControlTrace(control, decision, chunk_id, reason[:200])


Control = Callable[[Working], Working]


def fired(trace: tuple[ControlTrace, ...]) -> tuple[str, ...]:
    """Return the controls of a trace that changed something, each once, in order."""
    return tuple(dict.fromkeys(line.control for line in trace if line.decision != "cut"))
