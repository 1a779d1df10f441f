"""The published six with sentences of a real filing for their trusted texts (`--trusted-from`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.attack.classes import are_the_published_six
from ragdash.attack.controls.sentences import sentences
from ragdash.attack.view import TRUSTED_CHANNELS
from ragdash.core.chunk import ChunkKind
from ragdash.core.errors import InputError
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ragdash.core.attack import AttackCase
    from ragdash.core.chunk import Chunk

DEFAULT_TERMS = (("pricing", "intellectual property"), ("innovative", "products"))
_LONGER_THAN = 60
# Which of the two sentences takes the place of which trusted chunk.
_PLACES = {"r1": 0, "r4": 0, "r2": 1, "r6": 1, "r9": 1}


def trusted_sentences(corpus: Path, terms: tuple[str, ...]) -> tuple[str, str]:
    """Return the first sentence of a corpus' filings for each of two lists of terms.

    Args:
        corpus: a folder that `ragdash ingest` made.
        terms: two lists, each with commas between its terms; () for the published ones.

    Raises:
        InputError: there are not two lists, or no sentence holds all terms of one.
    """
    from ragdash.ingest.folder import load_corpus

    lists = tuple(_terms(one) for one in terms) or DEFAULT_TERMS
    if len(lists) != len(DEFAULT_TERMS):
        raise InputError(
            f"--terms is given {len(lists)} times; give it twice, once for each sentence, or not."
        )
    chunks = load_corpus(corpus).chunks
    first, second = (_first(chunks, one, corpus) for one in lists)
    return first, second


def _terms(given: str) -> tuple[str, ...]:
    found = tuple(term.strip() for term in given.split(",") if term.strip())
    if not found:
        raise InputError("--terms holds no term; write terms with commas between them.")
    return found


def _first(chunks: Iterable[Chunk], terms: tuple[str, ...], corpus: Path) -> str:
    """Return the first sentence over 60 characters of a filing with every term, case-blind."""
    wanted = [term.casefold() for term in terms]
    for chunk in chunks:
        if chunk.source.channel not in TRUSTED_CHANNELS or chunk.kind is not ChunkKind.TEXT:
            continue
        text = " ".join(chunk.text.split())
        for start, end in sentences(text, clauses=False):
            sentence = text[start:end].strip()
            if len(sentence) > _LONGER_THAN and all(w in sentence.casefold() for w in wanted):
                return sentence
    raise InputError(
        f"No sentence over {_LONGER_THAN} characters in the filings of corpus {corpus} holds all "
        f"of: {printable(', '.join(terms), 200)}; give other terms with --terms, or another corpus."
    )


def with_sentences(cases: tuple[AttackCase, ...], found: tuple[str, ...]) -> tuple[AttackCase, ...]:
    """Return the published six with the two sentences in the places of their trusted texts.

    Raises:
        InputError: these are not the published six.
    """
    if not are_the_published_six(cases):
        raise InputError(
            "--trusted-from replaces texts of the published six, and these fixtures are others; "
            "leave --fixtures or --trusted-from out."
        )
    return tuple(
        replace(
            case,
            chunks=tuple(
                replace(c, text=found[_PLACES[c.id]]) if c.id in _PLACES else c for c in case.chunks
            ),
        )
        for case in cases
    )
