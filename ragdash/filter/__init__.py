"""A small typed language over the questions of a run: text in, bound SQL out.

    expr = parse("outcome:wrong layer:ranking company:茅台 judge<0.5")
    condition, values = compile(expr)
    rows(cursor, held(condition), {**asked(people), **values})      # mode, question_id

fields.py holds what can be asked for; parser.py how it is written.
"""

from __future__ import annotations

from ragdash.filter.compiler import compile  # noqa: A004 - the term for it
from ragdash.filter.faults import BadFilter
from ragdash.filter.parser import parse
from ragdash.filter.printer import written
from ragdash.filter.relation import asked, held

__all__ = ["BadFilter", "asked", "compile", "held", "parse", "written"]
