"""How long to wait: what a server asks for, and what we add."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.llm.pace import LONG_WAIT, Pace, backoff, retry_after
from ragdash.llm.spending import tokens_at_least


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Infinity"}, None),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        (
            {
                "retry-after": "Wed, 21 Oct 2015 07:28:09 GMT",
                "date": "Wed, 21 Oct 2015 07:28:00 GMT",
            },
            9.0,
        ),
        ({"retry-after": "Wed Oct 21 07:28:00 2015"}, 0.0),
    ],
)
def test_a_wait_is_read_from_seconds_and_dates(headers, seconds) -> None:
    assert retry_after(headers) == seconds


def test_a_date_is_read_against_our_clock_where_the_server_tells_none() -> None:
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert 80 < (retry_after({"retry-after": until}) or 0) <= 90


@settings(deadline=None, max_examples=100)
@given(st.text(), st.text())
def test_no_header_raises(value, date) -> None:
    found = retry_after({"retry-after": value, "date": date})
    assert found is None or found >= 0


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10_000))
def test_a_backoff_grows_to_eight_seconds_and_is_never_0(attempt) -> None:
    assert 0.25 <= backoff(attempt) <= 8
    assert backoff(0) <= 0.5


def test_one_429_holds_back_nobody_and_a_storm_everybody() -> None:
    pace = Pace(4)
    pace.note(True, 30)
    assert pace.held() == (0.0, 0.0)
    for limited in (False, True) * 8:
        pace.note(limited, 30)
    long, storm = pace.held()
    assert (long, storm > 29) == (0.0, True)


def test_a_long_wait_holds_everybody_back() -> None:
    pace = Pace(4)
    pace.note(False, LONG_WAIT + 1)
    assert pace.held()[0] > LONG_WAIT


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("", 0),
        ("net sales rose", 3),
        ("营业收入147,693,604,994.14元", 2),
        ("营业收入" * 10, 10),
        ("   ", 0),
        # one long run of dashes may be a single token
        ("-" * 1000, 1),
    ],
)
def test_the_least_number_of_tokens_is_never_too_high(text, least) -> None:
    assert tokens_at_least(text) == least
