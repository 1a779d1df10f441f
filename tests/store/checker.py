"""A second process that spot checks: `python checker.py STORE RUN NAME QUESTION...`."""

from __future__ import annotations

import sys
from pathlib import Path

from ragdash.core.errors import LockHeld
from ragdash.core.spot_check import (
    Caliber,
    CheckDraft,
    CheckKey,
    CheckProposal,
    Confidence,
    Fit,
    Judgement,
)
from ragdash.store.spot_check_desk import keep_draft, take_lock
from ragdash.store.spot_checks import save_check

AT = "2026-11-30T10:00:00Z"


def main(store: Path, run_id: str, name: str, questions: list[str]) -> None:
    """Check every question in turn, blind; what another has locked is checked at the end."""
    fits, waiting = list(Fit), list(enumerate(questions))
    while waiting:
        i, question_id = waiting.pop(0)
        key = CheckKey(run_id, "dense", question_id)
        fit = fits[i % len(fits)]
        said = Judgement(fit, Confidence.LOW, *([Caliber.SEGMENT] * 3), note=f"{name} 第{i}")
        try:
            take_lock(store, key, name, AT, 60)
            keep_draft(store, key, name, CheckDraft(fit=fit), AT)
            save_check(store, CheckProposal(key, 1, name, said, AT, blind=True))
        except LockHeld:
            waiting.append((i, question_id))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
