"""Where the sentences and table rows of a passage begin and end."""

from __future__ import annotations

import re

_ENDS = (
    r"[。！？!?{clause}]+[”’」』\"')）]*|\n+"
    r"|(?<!\bInc)(?<!\bCo)(?<!\bCorp)(?<!\bLtd)(?<!\bNo)(?<!\bvs)(?<!\bapprox)(?<![A-Z])\.(?=\s)"
)
_END = re.compile(_ENDS.replace("{clause}", ""))
_END_OF_PART = re.compile(_ENDS.replace("{clause}", "；;"))
_LONGEST = 2_000


def sentences(text: str, *, clauses: bool = True) -> list[tuple[int, int]]:
    """Return the half-open ranges of a text's sentences and rows, blank ones left out.

    `clauses` cuts at semicolons too.
    One that runs over 2,000 characters is cut, so that nothing downstream meets an endless one.
    """
    found: list[tuple[int, int]] = []
    end_of = _END_OF_PART if clauses else _END
    at = 0
    for end in [*(m.end() for m in end_of.finditer(text)), len(text)]:
        while end - at > _LONGEST:
            found.append((at, at + _LONGEST))
            at += _LONGEST
        if text[at:end].strip():
            found.append((at, end))
        at = end
    return found
