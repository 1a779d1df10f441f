"""An export says whose word an outcome and a layer are, and no two columns have one name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ragdash.core.spot_check import Caliber, CheckKey, CheckProposal, Confidence, Fit, Judgement
from ragdash.export.columns import columns
from ragdash.export.records import metrics_of, records
from ragdash.metrics import METRICS
from ragdash.store.spot_checks import save_check

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from ragdash.export.asking import Selection

JUDGEMENT = Judgement(
    Fit.FITS, Confidence.HIGH, Caliber.CONSOLIDATED, Caliber.CONSOLIDATED, Caliber.CONSOLIDATED
)


@pytest.mark.parametrize("fit", list(Fit))
def test_an_outcome_is_a_person_s_where_her_word_made_it(
    choose: Callable[..., Selection], build: ModuleType, rich: ModuleType, tmp_path: Path, fit: Fit
) -> None:
    store = rich.make_rich_store(build, tmp_path / "store")
    for mode in ("dense", "hybrid", "rerank"):
        for number in range(1, 7):
            key = CheckKey(rich.RUN, mode, f"q{number:02}")
            judgement = replace(JUDGEMENT, fit=fit)
            save_check(store, CheckProposal(key, 1, "陈", judgement, "2026-11-30T10:00:00Z", True))
    found = list(records(choose(store)))
    assert found
    moved = [record for record in found if record["outcome"] != record["rule_outcome"]]
    assert bool(moved) == (fit is not Fit.UNCLEAR)
    assert all(record["outcome_by"] == "陈" for record in moved)
    for record in found:
        if record["layer"] != record["rule_layer"]:
            assert record["layer_by"] == "陈"
        if fit is Fit.UNCLEAR or record["answer_status"] != "answered":
            assert record["outcome_by"] is None
        elif fit is Fit.FITS and record["outcome"] == "wrong":
            # That a caliber fits makes no other figure right: wrong is the rule's word.
            assert record["outcome_by"] is None


def test_no_two_columns_have_one_name(reviewed: Path, choose: Callable[..., Selection]) -> None:
    chosen = choose(reviewed)
    every = [*metrics_of(chosen), *(metric.name for metric in METRICS), "given.run"]
    names = [one.name for one in columns(chosen, dict.fromkeys(every), frozenset(every))]
    assert len(names) == len(set(names))
