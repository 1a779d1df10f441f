"""Lines put together: questions told by several, documents by many, contradictions named."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ragdash.contract.labels import label_for
from ragdash.core.chunk import DocType
from ragdash.core.errors import InputError
from ragdash.core.fingerprint import digest
from ragdash.core.question import Evidence, QuestionKind
from ragdash.core.retrieval import RankTrace
from ragdash.jsonlines import Limits, printable, stream_objects
from ragdash.questions import read_gold
from ragdash.receive import form
from ragdash.receive.fields import Header, read_header, read_line
from ragdash.receive.looks import refuse_other

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.receive.fields import Context, Line

_SHOWN = 20


@dataclass(slots=True)
class Told:
    """What several lines tell of one question or document: facts by name, and the first line."""

    number: int
    facts: dict[str, Any]

    def add(self, facts: dict[str, Any], what: str) -> None:
        """Take what is new.

        Raises:
            InputError: something is told otherwise than before.
        """
        other = [name for name in facts if self.facts.get(name, facts[name]) != facts[name]]
        if other:
            raise InputError(f"{what} is told otherwise in line {self.number} ({', '.join(other)})")
        self.facts |= facts


@dataclass(frozen=True, slots=True)
class Row:
    """What one line says beside its question; contexts are chunk ids with their ranks."""

    id: str
    mode: str
    line: Line
    contexts: tuple[tuple[str, RankTrace], ...] | None


@dataclass(slots=True)
class Gathered:
    """Everything a file says, each chunk and document once."""

    header: Header = field(default_factory=Header)
    questions: dict[str, Told] = field(default_factory=dict)
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    chunks: dict[str, tuple[Context, str, int]] = field(default_factory=dict)
    sources: dict[str, Told] = field(default_factory=dict)

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that have answers, in the order of the header, then as they come."""
        answered = dict.fromkeys(mode for mode, _ in self.rows)
        first = [mode for mode in self.header.modes if mode in answered]
        return tuple(dict.fromkeys([*first, *answered]))


def gather(path: Path, extra: dict[str, str]) -> Gathered:
    """Read a whole file of the open form.

    Args:
        path: the file.
        extra: facts that are declared beside the file.

    Raises:
        InputError: it is something else, or lines are bad; the first twenty are named.
    """
    refuse_other(path)
    limits = Limits(form.LARGEST_FILE, form.LONGEST_LINE, form.DEEPEST, form.MOST_FAULTS)
    faults: list[str] = []
    found = Gathered(_declared(Header(), extra))
    first = True
    for number, row in stream_objects(path, faults, limits):
        try:
            if form.MARK in row:
                if not first:
                    raise InputError("a header stands in the first line or nowhere")
                found.header = _declared(read_header(row), extra)
            elif len(found.rows) == form.MOST_LINES:
                raise InputError(f"{path} has more than {form.MOST_LINES:,} lines: split it")
            else:
                _take(found, read_line(row), number)
        except InputError as error:
            faults.append(f"line {number}: {error}")
        first = False
    faults += _contradictions(found)
    _refuse(path, faults)
    if not found.rows:
        raise InputError(f"{printable(str(path), 200)} holds no answer: write one object a line")
    if len(found.modes) > form.MOST_MODES:
        raise InputError(
            f"{printable(str(path), 200)} has {len(found.modes)} modes, {form.MOST_MODES} at most "
            "make a run: import them apart"
        )
    return found


def _declared(header: Header, extra: dict[str, str]) -> Header:
    """Return the header with the facts that were declared beside the file."""
    if not extra:
        return header
    row: dict[str, Any] = {form.MARK: form.FORM_VERSION, **header.facts, **extra}
    if "top_k" in row:
        if not row["top_k"].isdecimal():
            raise InputError(f"top_k is '{printable(row['top_k'])}': a whole number is wanted")
        row["top_k"] = int(row["top_k"][:9])
    told = read_header(row)
    return header.model_copy(update={"facts": told.facts, "top_k": told.top_k})


def _contradictions(found: Gathered) -> list[str]:
    """Return what the lines on a question tell together and cannot."""
    faults = []
    for question_id, told in found.questions.items():
        facts = told.facts
        start = f"line {told.number}: question '{printable(question_id)}'"
        stated = [n for n in ("gold", "gold_text", "evidence") if facts.get(n)]
        if facts.get("answerable") is False and stated:
            faults.append(f"{start} is not answerable, so {', '.join(stated)} must stay empty")
        if facts.get("kind") is QuestionKind.COMPARE and len(facts.get("gold", (1, 1))) < 2:
            faults.append(f"{start} is of kind compare, which needs two golds or more")
    return faults


def _refuse(path: Path, faults: list[str]) -> None:
    if not faults:
        return
    # Lines that could not be read are found before those that say something wrong.
    faults.sort(key=lambda fault: int(re.sub(r"\D.*", "", fault.removeprefix("line "))))
    named = [fault.removesuffix(".") for fault in faults[:_SHOWN]]
    more = f"; and {len(faults) - _SHOWN:,} more lines" if len(faults) > _SHOWN else ""
    if len(faults) >= form.MOST_FAULTS:
        more += ", where reading ended"
    raise InputError(
        f"{printable(str(path), 200)}: {'; '.join(named)}{more}. Nothing was imported; "
        "mend these lines."
    )


def _take(found: Gathered, line: Line, number: int) -> None:
    """Take a line; of one that contradicts another something may stay, and nothing is imported."""
    key = (line.mode, line.id)
    shown = f"question '{printable(line.id)}'"
    if key in found.rows:
        raise InputError(f"{shown} has an answer in mode '{printable(line.mode)}' already")
    _tell(found.questions, line.id, _question_facts(line), number, shown)
    contexts = None
    if line.contexts is not None:
        contexts = _contexts(found, line.contexts, number)
    # What is kept of a line is kept once: the passages are among the chunks.
    kept = line.model_copy(update={"contexts": None, "gold": None, "evidence": None})
    found.rows[key] = Row(line.id, line.mode, kept, contexts)


def _tell(told: dict[str, Told], key: str, facts: dict[str, Any], number: int, what: str) -> None:
    known = told.get(key)
    if known is None:
        told[key] = Told(number, facts)
    else:
        known.add(facts, what)


def _question_facts(line: Line) -> dict[str, Any]:
    gold = None if line.gold is None else tuple(read_gold(one) for one in line.gold)
    evidence = None
    if line.evidence is not None:
        evidence = tuple(Evidence(one.doc_id, one.page) for one in line.evidence)
    facts = {
        "text": line.question,
        **{
            name: getattr(line, name)
            for name in ("lang", "kind", "company", "period", "gold_text", "answerable", "note")
        },
        "gold": gold,
        "evidence": evidence,
    }
    return {name: value for name, value in facts.items() if value is not None}


def _contexts(
    found: Gathered, contexts: list[Context], number: int
) -> tuple[tuple[str, RankTrace], ...]:
    ranks = [one.rank for one in contexts]
    if any(ranks) and (None in ranks or len(set(ranks)) < len(ranks)):
        raise InputError("contexts: give each a rank of its own, or none of them one")
    out: dict[str, RankTrace] = {}
    for at, one in enumerate(contexts, start=1):
        chunk_id = _keep(found, one, number)
        if chunk_id in out:
            raise InputError(f"contexts: chunk '{printable(chunk_id)}' stands twice")
        out[chunk_id] = _trace(one, one.rank or at, found.header.top_k)
    return tuple(sorted(out.items(), key=lambda pair: pair[1].final_rank))


def _trace(one: Context, rank: int, top_k: int | None) -> RankTrace:
    stages = {
        f"{stage}_{what}": getattr(one, f"{stage}_{what}")
        for stage in form.STAGES
        for what in ("rank", "score")
    }
    seen = (top_k is None or rank <= top_k) if one.in_context is None else one.in_context
    return RankTrace(**stages, final_rank=rank, in_context=seen, final_score=one.score)


def _keep(found: Gathered, one: Context, number: int) -> str:
    """Keep a passage and what it says of its document; return the id of its chunk."""
    label = one.label
    if label is None and one.doc_type and (one.period or one.doc_type is not DocType.OTHER):
        label = label_for(one.doc_type, one.period)
    doc_id = one.doc_id or f"{one.company or ''} {label or ''}".strip()
    facts = {"company": one.company, "period": one.period, "doc_type": one.doc_type, "label": label}
    stated = {name: value for name, value in facts.items() if value is not None}
    _tell(found.sources, doc_id, stated, number, f"document '{printable(doc_id)}'")
    content = (doc_id, one.page, one.section, one.unit_note, one.text)
    chunk_id = one.chunk_id or f"given-{digest(content)[7:19]}"
    known = found.chunks.setdefault(chunk_id, (one, doc_id, number))
    before = known[0]
    if content != (known[1], before.page, before.section, before.unit_note, before.text):
        raise InputError(f"chunk '{printable(chunk_id)}' is another passage in line {known[2]}")
    return chunk_id
