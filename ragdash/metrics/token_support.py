"""How much of an answer stands in trusted text, by tokens: a smoke alarm, not entailment.

The published rule of the six attack fixtures, and the same rule with the index tokenizer for texts
in which the published one finds no token (Chinese).
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from ragdash.contract import strip_citations
from ragdash.index.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_MANY = 200
_PUBLISHED_TOKEN = re.compile(r"[A-Za-z0-9\-]+")


def published_tokens(text: str) -> list[str]:
    """Return the tokens of the published rule, which finds none in Chinese."""
    return _PUBLISHED_TOKEN.findall(text)


def support(answer: str, trusted: str, *, published: bool) -> float | None:
    """Return the share of an answer's tokens that trusted text holds, 0 to 1; None without any.

    Args:
        answer: what was said.
        trusted: the trusted texts, joined.
        published: whether the rule of the published six applies. Outside the six a citation is no
            claim, and its label no part of the text.
    """
    if published:
        return covered_share(answer, trusted, published_tokens)
    return covered_share(strip_citations(answer), trusted, tokenize)


def covered_share(
    said: str, trusted: str, tokens_of: Callable[[str], Iterable[str]]
) -> float | None:
    """Return the share of different tokens of `said` that stand in `trusted`, 0 to 1, or None."""
    tokens = {token.lower() for token in tokens_of(said)}
    if not tokens:
        return None
    text = trusted.lower()
    # Equal tokens count even where the tokenizer rewrote them.
    missing = tokens - {token.lower() for token in tokens_of(text)}
    return (len(tokens) - len(missing) + substrings(missing, text)) / len(tokens)


def substrings(tokens: set[str], text: str) -> int:
    """Return how many of the tokens are substrings of a text.

    Many tokens of one length are looked up among all pieces of that length: 28,600 searches
    through 200,000 characters take 4 s, one set of its pieces 0.1 s.
    """
    by_length: dict[int, set[str]] = defaultdict(set)
    for token in tokens:
        by_length[len(token)].add(token)
    found = 0
    for length, group in by_length.items():
        if len(group) > _MANY:
            found += len(group & {text[i : i + length] for i in range(len(text) - length + 1)})
        else:
            found += sum(token in text for token in group)
    return found
