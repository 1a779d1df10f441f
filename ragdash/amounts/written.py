"""An exact figure as people read it: thousands apart, large money also in 亿, 万 or million."""

from __future__ import annotations

from decimal import Context, Decimal, InvalidOperation

MINUS = "−"
_WAN, _YI, _MILLION = Decimal(10) ** 4, Decimal(10) ** 8, Decimal(10) ** 6


def amount(text: str, unit: str, places: int = 0) -> str:
    """Return an exact figure with its unit; large money also in 亿, 万 or million.

    Args:
        text: the figure as stored, exact.
        unit: as in the question set: "CNY", "USD", "CNY/share", "percent", a count noun.
        places: decimal places to show at least; money with a fraction has two.
    """
    try:
        value = Decimal(text)
    except InvalidOperation:
        return f"{text} {unit}"
    if not value.is_finite():
        return f"{text} {unit}"
    exact = f"{_padded(value, unit, places):,f}".replace("-", MINUS)
    if unit == "percent":
        return f"{exact}%"
    short = _short_money(value, unit)
    return f"{exact} {unit}" + (f" ({short})" if short else "")


def _padded(value: Decimal, unit: str, places: int) -> Decimal:
    """Return the same value with the zeros that a stored number has lost."""
    stored = -int(value.as_tuple().exponent)
    if stored > 0 and unit.removesuffix("/share").isupper():
        places = max(places, 2)
    if places <= stored:
        return value
    digits = len(value.as_tuple().digits) + places + abs(stored)
    return value.quantize(Decimal(1).scaleb(-places), context=Context(prec=digits))


def _short_money(value: Decimal, unit: str) -> str:
    if unit == "CNY":
        for size, word in ((_YI, "亿"), (_WAN, "万")):
            if abs(value) >= size:
                return f"{value / size:,.2f} {word}".replace("-", MINUS)
    elif len(unit) == 3 and unit.isupper() and abs(value) >= _MILLION:
        return f"{value / _MILLION:,.2f} million".replace("-", MINUS)
    return ""
