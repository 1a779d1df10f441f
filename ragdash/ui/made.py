"""What a run was made with, in the words of the sidebar and of the list of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import EXTRACTIVE, t, term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragdash.views.frame import RunFacts


def facts(run: RunFacts, *, versioned: bool) -> safe.Markup:
    """Return the facts of a run; its version where an address names one, or it has several."""
    imported = {t("fact.imported"): system(run.config)} if run.config.get("imported") else {}
    version = {t("fact.version"): str(run.version)} if versioned or run.version > 1 else {}
    return chips.facts(
        {
            **imported,
            t("fact.corpus"): safe.plain(run.corpus or formats.DASH),
            t("fact.questions"): f"{safe.plain(run.questions)} ({run.n_questions})",
            t("fact.generator"): generator(run.generator),
            t("fact.judge"): term("judge", run.judge) if run.judge else formats.DASH,
            t("fact.top_k"): formats.DASH if run.top_k is None else str(run.top_k),
            t("fact.started"): formats.when(run.started_at),
            **version,
            t("fact.status"): term("run", run.status),
        },
        label=t("frame.run"),
    )


def system(config: Mapping[str, Any]) -> str:
    """Return which system a run's results are of, with its version, else the file they were in."""
    imported = config["imported"]
    told = imported["facts"]
    named = [str(told[name]) for name in ("system", "system_version") if told.get(name)]
    return safe.plain(" ".join(named) or imported["file"])


def generator(name: str | None) -> str:
    """Return a generator's name; the extractive one says that no model is behind it."""
    if name is None:
        return formats.DASH
    return t("generator.extractive") if name in EXTRACTIVE else safe.plain(name)
