"""A second process that reviews: `python reviewer.py STORE RUN NAME QUESTION...`."""

from __future__ import annotations

import sys
from pathlib import Path

from ragdash.core.review import Opinion, Proposal, ReviewKey, Verdict
from ragdash.store.reviews import keep_draft, reviews_of, save_review


def main(store: Path, run_id: str, name: str, questions: list[str]) -> None:
    verdicts = list(Verdict)
    for i, question_id in enumerate(questions):
        key = ReviewKey(run_id, 1, "dense", question_id)
        opinion = Opinion(verdicts[i % len(verdicts)], note=f"{name} 第{i}")
        seen = max((r.number for r in reviews_of(store, run_id, 1, question_id)), default=None)
        proposal = Proposal(key, name, opinion, "2026-11-30T10:00:00Z", seen)
        keep_draft(store, proposal)
        save_review(store, proposal)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
