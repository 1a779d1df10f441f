"""Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009), with every input rank kept.

score = sum over the lists of weight / (k + rank), ranks from 1; a list that does not hold a chunk
adds nothing. The order is total: score, then the best single rank, then the chunk's position.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING

from ragdash.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk position with its rank in each list, from 1, or None, and its fused score."""

    position: int
    ranks: tuple[int | None, ...]
    score: float


def fuse(rankings: Sequence[Sequence[int]], k: int, weights: Sequence[float]) -> tuple[Fused, ...]:
    """Return every chunk of any list, best first.

    Args:
        rankings: chunk positions, best first; none twice in one list.
        k: added to each rank; larger ones flatten the lists.
        weights: one for each list, 0 or more.

    Raises:
        ConfigError: k is below 0, a weight is, or their number is not that of the lists.
        ValueError: a list holds a position twice.
    """
    if k < 0 or len(weights) != len(rankings) or not all(weight >= 0 for weight in weights):
        raise ConfigError(
            f"[retrieval] rrf_k = {k} and weights = {list(weights)} do not fit {len(rankings)} "
            "lists: give k from 0 and for each list a weight from 0"
        )
    places = [_places(ranking) for ranking in rankings]
    shares, whole = _shares(k, tuple(weights), max(map(len, rankings), default=0))
    keyed = []
    for position in set().union(*places):
        found = tuple(place.get(position) for place in places)
        score = sum(of_list[rank] for of_list, rank in zip(shares, found, strict=True) if rank)
        keyed.append((-score, min(rank for rank in found if rank), position, found))
    keyed.sort()
    return tuple(Fused(position, found, -score / whole) for score, _, position, found in keyed)


@lru_cache(maxsize=64)
def _shares(
    k: int, weights: tuple[float, ...], longest: int
) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Return what each rank adds in each list, in parts of a whole that they all divide.

    Whole numbers, because two ways to the same sum must tie, which floats decide by their last bit;
    and they are compared faster than fractions.
    """
    # as written: 0.3 is three tenths, not the nearest float
    exact = [Fraction(str(weight)) for weight in weights]
    divisors = range(k + 1, k + longest + 1)
    whole = lcm(*(weight.denominator for weight in exact)) * lcm(*divisors)
    return tuple((0, *(int(w * whole / d) for d in divisors)) for w in exact), whole


def _places(ranking: Sequence[int]) -> dict[int, int]:
    places = {position: rank for rank, position in enumerate(ranking, start=1)}
    if len(places) != len(ranking):
        raise ValueError(f"a ranking holds a position twice: {list(ranking)}")
    return places
