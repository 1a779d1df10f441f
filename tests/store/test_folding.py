from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.store.attach import attach
from ragdash.store.folding import folded
from ragdash.store.layout import run_file

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


@pytest.mark.parametrize(
    ("text", "same"),
    [("５％", "5%"), ("ＡＡＰＬ", "aapl"), ("STRASSE", "straße"), ("２０２３年报", "2023年报")],
)
def test_width_and_case_make_no_difference(text: str, same: str) -> None:
    assert folded(text) == folded(same)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_ascii_takes_the_short_way_to_the_same(text: str) -> None:
    assert folded(text) == text.casefold()


def test_every_cursor_of_a_locked_file_has_it_also_in_several_threads_at_once(
    build: ModuleType, rich: ModuleType, store: Path
) -> None:
    path = run_file(rich.make_rich_store(build, store), rich.RUN, 1)

    def asked(_: int) -> list[tuple[str]]:
        query = (
            "SELECT question_id FROM run.questions WHERE contains(folded(text), $word) ORDER BY 1"
        )
        return attach(path).execute(query, {"word": folded("ＡＰＰＬＥ")}).fetchall()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(asked, range(24))) == [[("q03",)]] * 24
    assert attach(path).execute("SELECT folded(NULL)").fetchone() == (None,)
