"""Numbers as text: k of n first, signed differences, a dash with its reason for the missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.amounts.written import MINUS
from ragdash.amounts.written import amount as amount
from ragdash.ui.i18n import S, t
from ragdash.ui.i18n import reason as i18n_reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.compare.intervals import Interval

DASH = "—"


def share(k: int, n: int) -> str:
    """Return "5/6 (0.83)", or a dash where n is 0."""
    return f"{k}/{n} ({k / n:.2f})" if n else DASH


def number(value: float | None, digits: int = 2) -> str:
    """Return a plain number, or a dash."""
    if value is None:
        return DASH
    text = f"{value:.{digits}f}"
    return text.replace("-", MINUS)


def score(value: float) -> str:
    """Return a retrieval score, whose size differs by stage, to four significant digits."""
    return f"{value:.4g}".replace("-", MINUS)


def signed(value: float | None, digits: int = 2) -> str:
    """Return a difference with its sign; zero has none."""
    if value is None:
        return DASH
    rounded = round(value, digits)
    if rounded == 0:
        return f"{0:.{digits}f}"
    return f"{'+' if rounded > 0 else MINUS}{abs(rounded):.{digits}f}"


def interval(value: Interval | None, *, sign: bool = False, digits: int = 2) -> str:
    """Return "0.44–0.97", or "−0.10 to +0.20" for a difference; a dash where there is none."""
    if value is None:
        return DASH
    if sign:
        return f"{signed(value.low, digits)} … {signed(value.high, digits)}"
    return f"{value.low:.{digits}f}–{value.high:.{digits}f}"


def p_value(p: float | None) -> str:
    """Return "= 0.09" or "< 0.001", so that a small p never reads as 0."""
    if p is None:
        return DASH
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"


def seconds(value: float | None) -> str:
    """Return a duration: "8 ms", "0.34 s", "12 s", "2 min 05 s"."""
    if value is None:
        return DASH
    if value < 0.1:
        return f"{value * 1000:.0f} ms"
    if value < 10:
        return f"{value:.2f} s"
    if value < 59.5:
        return f"{value:.0f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest:02d} s"


def count(value: int | None) -> str:
    """Return a count with its thousands apart, or a dash."""
    return DASH if value is None else f"{value:,}"


def cost(value: float | None, unpriced: int = 0) -> str:
    """Return money of an unnamed currency; at least that much where calls have no price."""
    if value is None:
        return DASH
    if 0 < value < 0.0001:
        text = "< 0.0001"
    else:
        text = f"{value:,.2f}" if value >= 1 or not value else f"{value:.4f}"
    return f"≥ {text}" if unpriced else text


def reasons(counts: Mapping[str, int]) -> str:
    """Return codes in words, each with how often it came."""
    return ", ".join(f"{i18n_reason(code)} {n:,}" for code, n in counts.items())


def when(iso: str) -> str:
    """Return "2026-11-30 09:36 UTC" of an ISO 8601 time, which the store keeps in UTC."""
    return f"{iso[:10]} {iso[11:16]} UTC" if len(iso) >= 16 else iso


def missing(status: str, code: str) -> str:
    """Return a dash and why there is no value, in words where we have them."""
    words = t(f"status.{status}") if f"status.{status}" in S else status
    return f"{DASH} {words}: {i18n_reason(code)}" if code else f"{DASH} {words}"
