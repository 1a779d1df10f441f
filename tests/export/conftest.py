"""A store with reviews and spot checks in it, and what is selected of it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ragdash.core.review import Opinion, Proposal, ReviewKey, Verdict
from ragdash.core.spot_check import Caliber, CheckKey, CheckProposal, Confidence, Fit, Judgement
from ragdash.export.asking import selected
from ragdash.store.registry import Registry
from ragdash.store.reviews import save_review
from ragdash.store.spot_checks import save_check

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

    from ragdash.export.asking import Selection

HOSTILE = "=cmd|' /C calc'!A0 <script>x</script> ![](http://beacon.invalid/a.png) 茅台\u202e5"


def people_say(rich: ModuleType, store: Path) -> None:
    """A verdict that its author changed, one of somebody else, and a caliber conflict."""
    key = ReviewKey(rich.RUN, 1, "dense", "q02")
    at = "2026-11-30T10:0{}:00Z"
    first = save_review(store, Proposal(key, "安", Opinion(Verdict.RECALL), at.format(0)))
    save_review(
        store,
        Proposal(
            key, "安", Opinion(Verdict.RANKING, True, "=1+1\n再看"), at.format(1), first.number
        ),
    )
    save_review(
        store,
        Proposal(
            ReviewKey(rich.RUN, 1, "hybrid", "q05"),
            "Bo",
            Opinion(None, True, HOSTILE),
            at.format(2),
        ),
    )
    judgement = Judgement(
        Fit.CONFLICT,
        Confidence.HIGH,
        Caliber.CONSOLIDATED,
        Caliber.CONSOLIDATED,
        Caliber.PARENT_COMPANY,
        "600519-2023",
        45,
        "母公司的数",
    )
    check = CheckKey(rich.RUN, "rerank", "q01")
    save_check(store, CheckProposal(check, 1, "陈", judgement, at.format(3), blind=True))


@pytest.fixture(scope="session")
def reviewed(build: ModuleType, rich: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rich store, with what people said of it."""
    store: Path = rich.make_rich_store(build, tmp_path_factory.mktemp("export") / "store")
    people_say(rich, store)
    return store


@pytest.fixture(scope="session")
def say() -> Callable[[ModuleType, Path], None]:
    """`say(rich, store)`: three reviews and a spot check."""
    return people_say


@pytest.fixture(scope="session")
def choose(rich: ModuleType) -> Callable[..., Selection]:
    """`choose(store, where="...", ref="...", base=None)` -> Selection."""

    def chosen(store: Path, where: str = "", ref: str = "", base: str | None = None) -> Selection:
        with closing(Registry.open(store, read_only=True)) as registry:
            return selected(registry, store, ref or rich.RUN, where=where, base=base)

    return chosen
