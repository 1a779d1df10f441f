"""Whether the training facts keep apart from questions that quality is measured on."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from data.models.source.ledger import public_companies

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def asked_about(question_files: Iterable[Path]) -> list[str]:
    """Return the companies of the public facts that any line of the question files names.

    A name anywhere in a line counts: stricter than (company, period, metric), and nothing has to
    be read out of the question.
    """
    text = "\n".join(
        json.dumps(json.loads(line), ensure_ascii=False)
        for path in question_files
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    )
    return [
        company.name
        for company in public_companies()
        if any(_names(name, text) for name in (company.name, company.other_name))
    ]


def _names(name: str, text: str) -> bool:
    """Return whether the text has the name; an English one as whole words, spelt as it is."""
    # "Target" is a company, "the target" and "Targeted" are not
    return re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", text) is not None
