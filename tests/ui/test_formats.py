from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.compare.intervals import Interval
from ragdash.ui import formats


def test_k_of_n_comes_first() -> None:
    assert formats.share(5, 6) == "5/6 (0.83)"
    assert formats.share(0, 0) == "—"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1667, "+0.17"), (-0.1667, "−0.17"), (0.0, "0.00"), (-0.004, "0.00"), (None, "—")],
)
def test_a_difference_carries_its_sign_and_zero_has_none(value: float | None, text: str) -> None:
    assert formats.signed(value) == text


def test_intervals_read_as_ranges() -> None:
    assert formats.interval(Interval(0.436, 0.97)) == "0.44–0.97"
    assert formats.interval(Interval(-0.1, 0.2), sign=True) == "−0.10 … +0.20"


def test_a_tiny_p_is_never_zero() -> None:
    assert formats.p_value(1e-9) == "< 0.001"
    assert formats.p_value(0.0938) == "= 0.094"
    assert formats.p_value(1.0) == "= 1.00"


@pytest.mark.parametrize(
    ("value", "text"), [(0.004, "4 ms"), (0.34, "0.34 s"), (12.4, "12 s"), (125, "2 min 05 s")]
)
def test_durations_fit_their_size(value: float, text: str) -> None:
    assert formats.seconds(value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("147693604994.14", "CNY", "147,693,604,994.14 CNY (1,476.94 亿)"),
        ("-18492.87", "CNY", "−18,492.87 CNY (−1.85 万)"),
        ("391035000000", "USD", "391,035,000,000 USD (391,035.00 million)"),
        ("46.2", "percent", "46.2%"),
        ("6.11", "USD/share", "6.11 USD/share"),
        ("bad", "CNY", "bad CNY"),
    ],
)
def test_figures_keep_every_digit_beside_the_short_form(value: str, unit: str, text: str) -> None:
    assert formats.amount(value, unit) == text


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4))
def test_no_digit_of_a_figure_is_lost(value: Decimal) -> None:
    shown = formats.amount(str(value), "USD").split(" ")[0]
    assert Decimal(shown.replace(",", "").replace("−", "-")) == value
