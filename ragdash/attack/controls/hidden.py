"""C2: what no reader of the page sees is taken out, and said to have been there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ragdash.attack.controls.working import traced
from ragdash.core.errors import InputError
from ragdash.ingest.budget import Budget
from ragdash.ingest.css import Identity, Sheet, declarations
from ragdash.ingest.elements import BLOCKS
from ragdash.ingest.look import Look, look_of
from ragdash.ingest.markup import RAW, VOID, Token, tokens

if TYPE_CHECKING:
    from ragdash.attack.controls.working import Passage, Working

HIDDEN = "C2_strip_hidden"

_MARKUP = re.compile(r"<(?:!|\?|/?[A-Za-z])")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
# Markdown's own comment: a link definition that nothing refers to.
_MARKDOWN_COMMENT = re.compile(r"^[ ]{0,3}\[(?://|comment|#|_)\]:\s.*$", re.M | re.I)
_ANY_TAG = re.compile(r"<[^<>]{0,400}>")
_CELLS = frozenset(("td", "th"))
_STEPS = 2_000_000
# These stay in the text for C12, which is to leave none of them in an answer.
_KEPT = frozenset(("img", "a", "iframe", "video", "audio", "object", "embed", "source", "link"))


@dataclass(slots=True)
class _Seen:
    """The visible text of a piece of markup, and what was hidden in it."""

    shown: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)


def strip_hidden(work: Working) -> Working:
    """C2: take recorded hidden spans, comments and unseen elements out of every passage."""
    passages, lines = [], []
    for passage in work.passages:
        text, gone = _visible(passage)
        passages.append(replace(passage, text=text))
        if gone.strip():
            lines.append(traced(HIDDEN, "stripped", passage.id, " ".join(gone.split())))
    return replace(work, passages=tuple(passages)).traced(lines)


def _visible(passage: Passage) -> tuple[str, str]:
    """Return what a reader sees of a passage, and what was hidden from him."""
    text, gone = passage.text, ""
    for start, end, _ in sorted(passage.meta.hidden_spans, reverse=True):
        gone += text[start:end]
        text = text[:start] + text[end:]
    gone += " ".join(_MARKDOWN_COMMENT.findall(text))
    text = _MARKDOWN_COMMENT.sub("", text)
    if not _MARKUP.search(text):
        return text, gone
    gone += " ".join(_COMMENT.findall(text))
    try:
        seen = _drawn(_COMMENT.sub("", text))
    except InputError:
        # More markup than any page has: no style is worked out, and every tag goes.
        return _ANY_TAG.sub(" ", text), gone + " markup beyond any page"
    return "".join(seen.shown), gone + " ".join(seen.hidden)


def _drawn(text: str) -> _Seen:
    budget = Budget(_STEPS)
    sheet, seen = Sheet(budget), _Seen()
    above: list[tuple[Identity, Look]] = [(Identity("", "", frozenset()), Look())]
    raw = ""
    for token in tokens(text):
        budget.spend(1, "its markup")
        if not token.name:
            if raw == "style":
                sheet.read(token.text)
            into = seen.hidden if raw or above[-1][1].why_hidden else seen.shown
            into.append(token.text)
        elif token.ends:
            _close(token.name, above, budget)
            seen.shown.append(_break(token.name))
        else:
            identity = _identity(token)
            look = _look(token, identity, above, sheet)
            seen.shown.append(_break(token.name) if not look.why_hidden else "")
            if token.name in _KEPT and not look.why_hidden:
                seen.shown.append(_written(token))
            if token.name not in VOID and not token.closed:
                above.append((identity, look))
        raw = token.name if token.name in RAW and not token.ends and not token.closed else ""
    return seen


def _identity(token: Token) -> Identity:
    classes = frozenset(token.attributes.get("class", "").split())
    return Identity(token.name, token.attributes.get("id", ""), classes)


def _look(
    token: Token, identity: Identity, above: list[tuple[Identity, Look]], sheet: Sheet
) -> Look:
    declared = sheet.declared(identity, [i for i, _ in above[1:]]) if sheet.by_key else {}
    own = token.attributes.get("style", "")
    declared = {**declared, **declarations(own)} if own else declared
    return look_of(token.name, token.attributes, declared, above[-1][1])


def _close(name: str, above: list[tuple[Identity, Look]], budget: Budget) -> None:
    """End the innermost element of a name, with what was left open in it."""
    for at in range(len(above) - 1, 0, -1):
        budget.spend(1, "its markup")
        if above[at][0].name == name:
            del above[at:]
            return


def _break(name: str) -> str:
    if name in _CELLS:
        return " | "
    return "\n" if name in BLOCKS or name == "br" else ""


def _written(token: Token) -> str:
    """The tag again, without anything that would be read as text or figures: only where it goes."""
    address = token.attributes.get("src") or token.attributes.get("href") or ""
    return f'<{token.name} src="{address[:300]}">' if address else ""
