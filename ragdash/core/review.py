"""What a person says of one question in one mode of a run: verdict, flag and note."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from ragdash.core.errors import InputError

NAME_LIMIT = 80
NOTE_LIMIT = 20_000
# Breaks and tabs belong to a note; zero-width and bidi characters may be quoted in one.
_REFUSED = {"Cc", "Cs"}
_REFUSED_IN_NAME = _REFUSED | {"Cf", "Co", "Zl", "Zp"}


class Verdict(StrEnum):
    """Where a person says that a question was lost: a layer, nowhere, or no telling."""

    INGEST = "ingest"
    RECALL = "recall"
    RANKING = "ranking"
    GENERATION = "generation"
    BUSINESS = "business"
    NO_FAULT = "no_fault"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class ReviewKey:
    """What is reviewed: one question in one mode of one version of a run."""

    run_id: str
    version: int
    mode: str
    question_id: str


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a reviewer says; `verdict` is None where only a flag or a note is left."""

    verdict: Verdict | None = None
    flag: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A review to be saved; `seen` is the number of the newest review its author knew of.

    `at` is ISO 8601 in UTC.
    """

    key: ReviewKey
    reviewer: str
    opinion: Opinion
    at: str
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """A saved review; numbers only ever grow.

    `rule_layer` is the layer the rule gave at that time, None where it saw nothing lost.
    `supersedes` is the number of the same reviewer's review before it.
    """

    number: int
    key: ReviewKey
    reviewer: str
    at: str
    opinion: Opinion
    rule_layer: str | None
    supersedes: int | None


def checked_name(name: str) -> str:
    """Return a reviewer's name without the space around it.

    Raises:
        InputError: it is empty, longer than 80 characters, or holds a character nobody can see.
    """
    name = name.strip()
    if not name:
        raise InputError("the reviewer's name is empty: say who reviews")
    if len(name) > NAME_LIMIT:
        raise InputError(
            f"the reviewer's name has {len(name)} characters: {NAME_LIMIT} are allowed"
        )
    _refuse(name, _REFUSED_IN_NAME, "the reviewer's name")
    return name


def checked_note(note: str) -> str:
    """Return a note with line breaks of one kind and without the space around it.

    Raises:
        InputError: it is longer than 20,000 characters, or holds a control character or half of a
            surrogate pair, which no file can keep.
    """
    note = note.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(note) > NOTE_LIMIT:
        raise InputError(f"the note has {len(note):,} characters: {NOTE_LIMIT:,} are allowed")
    _refuse(note.replace("\n", "").replace("\t", ""), _REFUSED, "the note")
    return note


def _refuse(text: str, categories: set[str], what: str) -> None:
    found = next((c for c in text if unicodedata.category(c) in categories), None)
    if found is not None:
        raise InputError(
            f"{what} holds the character U+{ord(found):04X}, which nobody can see: take it out"
        )
