"""C14, C8, C9, C7 and C5: which of the findings is the asked one, and whether any is."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.amounts import Kind
from ragdash.amounts.binding import Asked as Bound
from ragdash.amounts.binding import conflict
from ragdash.attack.controls.parts import asked_part, is_of_part
from ragdash.attack.controls.working import traced
from ragdash.caliber import find_names, find_scopes, find_terms, nearest_name, same_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragdash.amounts import Amount
    from ragdash.attack.controls.working import Asked, Finding, Working
    from ragdash.core.attack import ControlTrace

ENTITY = "C14_entity"
PERIOD = "C8_period"
CALIBER = "C9_caliber"
UNIT = "C7_unit"
EVIDENCE = "C5_evidence_gate"

ENOUGH_WORDS = 0.3
HALF_OF_UNKNOWN = 0.5
ALL_WORDS = 0.99
_OTHER_FIRM = re.compile(
    r"子公司|附属公司|联营企业|合营企业|竞争对手|同行业?公司|可比公司"
    r"|\b(?:subsidiary|affiliate|joint venture|competitor|peer|rival)s?\b",
    re.I,
)


def entity(work: Working) -> Working:
    """C14: keep what is of the company that the query names."""
    asked = asked_of(work)

    def of_another(finding: Finding) -> str:
        own = finding.passage.meta.company
        if asked.other_company:
            return f"the query names another company than {own}"
        if asked.company and own and own.casefold() != asked.company.casefold():
            return f"of {own}"
        return _of_another_firm(finding, asked)

    work = _without(work, ENTITY, of_another)
    named = {id(f): name for f in work.findings if (name := _named_otherwise(f, asked))}
    if len(named) == len(work.findings):
        # A name that no list knows may be a label; it decides only where something else is left.
        return work
    return _without(work, ENTITY, lambda finding: named.get(id(finding), ""))


def _of_another_firm(finding: Finding, asked: Asked) -> str:
    """Say so where the sentence speaks of a subsidiary, a rival or a peer before its figure."""
    before = finding.sentence
    if finding.amount is not None:
        before = finding.passage.text[finding.span[0] : finding.amount.span[0]]
    named = _OTHER_FIRM.search(before)
    return f"of a {named[0]}" if named and not _OTHER_FIRM.search(asked.query) else ""


def _named_otherwise(finding: Finding, asked: Asked) -> str:
    """Return whose the figure is where its sentence has another name for a subject."""
    if finding.amount is None or not asked.company or finding.key not in finding.target.keys:
        return ""
    hit = nearest_name(
        finding.passage.text, finding.amount.span, lambda text: find_names(text, asked.query)
    )
    own = hit is not None and (hit.name in asked.company or asked.company in hit.name)
    return f"of {hit.name}" if hit is not None and hit.asked is None and not own else ""


def period(work: Working) -> Working:
    """C8: keep what is of the asked year and part of the year."""

    def of_another(finding: Finding) -> str:
        target = finding.target
        if target.year is None:
            return ""
        if finding.year != target.year:
            return f"of {finding.year or 'no known period'}"
        if finding.amount is None:
            return ""
        found, wanted = finding.part, target.part
        same = same_part(found, wanted) if found else wanted in (None, "FY")
        return "" if same else f"of {found or 'the whole year'}"

    return _without(work, PERIOD, of_another)


def caliber(work: Working) -> Working:
    """C9: keep what stands under the asked metric, longest term first, for the whole company."""
    asked = asked_of(work)
    # A figure whose metric has no name that we know reads as a text, but has a year.
    measured = asked.wants_figure or any(target.year for target in asked.targets)
    part = asked_part(asked.bare) if measured else ""

    def of_another(finding: Finding) -> str:
        if part and not is_of_part(finding, part):
            return f"not of {part}"
        if finding.amount is None:
            return ""
        keys = finding.target.keys
        if keys and finding.key not in keys and not _in_other_words(finding, asked):
            return f"under {finding.key or 'no known metric'}"
        key = finding.key if finding.key in keys else None
        bound = Bound(key, None, None, asked.scope, asked.bare)
        reason = conflict(finding.passage.text, finding.amount, bound)
        if reason in ("other_period", "other_company", ""):
            return _of_the_parent(finding, asked)
        return reason

    return _without(work, CALIBER, of_another)


def _in_other_words(finding: Finding, asked: Asked) -> bool:
    """Whether a share of the asked metric stands there, or dividends of so much per share."""
    named = {t.key for t in find_terms(finding.sentence)}
    if "percent" in asked.kinds:
        return bool(named & finding.target.keys)
    if finding.amount is not None and finding.key is None:
        return _is_alike(finding, asked)
    per_share = finding.amount is not None and finding.amount.kind is Kind.PER_SHARE
    return per_share and _whole(finding.key or "") in {_whole(k) for k in finding.target.keys}


def _whole(key: str) -> str:
    return key.removesuffix("_per_share").rstrip("s")


def _is_alike(finding: Finding, asked: Asked) -> bool:
    """Whether a label that no term knows has a word of the asked one: 在职员工 of 员工总数."""
    if finding.amount is None:
        return False
    label = finding.passage.text[finding.span[0] : finding.amount.span[0]]
    label = re.split(r"[，,；;|]", label)[-1].lower()
    names = [t.alias for t in find_terms(asked.bare) if t.key in finding.target.keys]
    pieces = {name[i : i + 2] for name in names if not name.isascii() for i in range(len(name) - 1)}
    return any(piece in label for piece in pieces)


def _of_the_parent(finding: Finding, asked: Asked) -> str:
    """Say so where a table is headed as the parent company's statement."""
    if asked.scope == "parent" or "|" not in finding.sentence:
        return ""
    head = finding.passage.text[: finding.span[0]].split("|")[0]
    return "parent_company" if "parent" in {s for s, _ in find_scopes(head)} else ""


def unit(work: Working) -> Working:
    """C7: keep figures of the asked kind; of two scales of the same digits the registered one."""
    asked = asked_of(work)
    best = _of_asked_kind(work.findings, asked)

    def not_fitting(finding: Finding) -> str:
        amount = finding.amount
        if amount is None:
            return ""
        if best and amount.kind.value not in best:
            return f"a figure of kind {amount.kind.value}"
        if not finding.passage.trusted and _rescaled(finding, work.findings):
            return "the digits of a registered figure on another scale"
        return ""

    return _without(work, UNIT, not_fitting)


def _of_asked_kind(findings: tuple[Finding, ...], asked: Asked) -> frozenset[str]:
    """Return the kinds to keep: a bare number counts where no figure has the asked unit."""
    there = {f.amount.kind.value for f in findings if f.amount is not None}
    if not asked.kinds:
        return frozenset()
    if "percent" in asked.kinds:
        first = next((k for k in ("percent", "ratio", "pp", "bare") if k in there), "percent")
        return frozenset({first})
    if "per_share" in asked.kinds:
        return frozenset({"per_share"} if "per_share" in there else {"money"})
    return asked.kinds if asked.kinds & there else asked.kinds | {"bare"}


def _rescaled(finding: Finding, findings: tuple[Finding, ...]) -> bool:
    amount = finding.amount
    return amount is not None and any(
        f.passage.trusted
        and f.amount is not None
        and f.amount.value != amount.value
        and _digits(f.amount) == _digits(amount)
        for f in findings
    )


def _digits(amount: Amount) -> str:
    return "".join(c for c in amount.text if c.isdigit()).strip("0")


def evidence_gate(work: Working) -> Working:
    """C5: let an answer pass only on a finding that has what is asked for."""
    asked = asked_of(work)

    def too_little(finding: Finding) -> str:
        known = bool(finding.target.keys) and asked.wants_figure
        if known:
            return ""
        if asked.wants_name and finding.score < ALL_WORDS:
            return "of another office"
        unknown = asked.wants_figure and finding.score <= HALF_OF_UNKNOWN
        if unknown or finding.score < ENOUGH_WORDS:
            return f"has {finding.score:.0%} of the asked words"
        return ""

    work = replace(_without(work, EVIDENCE, too_little), gated=True)
    if not work.findings:
        work = work.noted(EVIDENCE, "refused", "", "no passage left holds what is asked for")
    return work


def _without(work: Working, control: str, why: Callable[[Finding], str]) -> Working:
    """Put findings aside for a reason; each passage is named once for each reason."""
    kept, seen = [], set()
    lines: list[ControlTrace] = []
    for finding in work.findings:
        reason = why(finding)
        if not reason:
            kept.append(finding)
        elif (finding.passage.id, reason) not in seen:
            seen.add((finding.passage.id, reason))
            said = finding.amount.text if finding.amount else finding.sentence.strip()
            lines.append(traced(control, "put aside", finding.passage.id, f"{said}: {reason}"))
    return replace(work, findings=tuple(kept)).traced(lines)


def asked_of(work: Working) -> Asked:
    """Return what the query asks for; it has been read before any finding is chosen from."""
    if work.asked is None:
        raise ValueError("the query has to be read before its findings are chosen from")
    return work.asked
