"""A gate's verdict as text, as data, and as JUnit XML for a CI job."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from ragdash.cli.mode_table import aligned
from ragdash.core.errors import InputError
from ragdash.gate.rules import Threshold
from ragdash.gate.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.gate.verdict import Checked, Gated

REASONS = {
    "not_measured": "the run has no such metric",
    "nothing_scored": "no question could be scored",
    "errors": "questions without a value: a measurement that failed never passes",
    "too_few": "{n} scored, the rule asks for min_scored = {least}",
    "few_repeats": "a judge's metric needs three repeats of every question",
    "judge_noise": "the margin is within the noise of the judge",
    "no_interval": "too few questions for an interval",
    "no_base": "no baseline: `ragdash tag RUN:mode baseline --reason TEXT`, or --base",
    "not_attributable": "more than one factor differs from the base: `ragdash compare` names them",
    "not_comparable": "other questions, gates or judge than the base: `ragdash compare` says which",
    "incomplete": "rows of the run are missing",
}
# XML 1.0 knows no other control characters, and a name of a run's policy may hold any.
_UNPRINTABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_text(found: Gated) -> str:
    """Return one line a rule and the verdict, for people."""
    rows = [["", "rule", "seen", "deterministic", ""]]
    rows += [_row(one) for one in found.checks]
    against = f" against {found.base}" if found.base else ""
    return f"{aligned(rows)}\n{found.verdict.value.upper()}: {found.ref}{against}"


def _row(one: Checked) -> list[str]:
    return [
        one.verdict.value.upper(),
        rule_words(one),
        seen_words(one),
        sure_words(one),
        why(one),
    ]


def rule_words(one: Checked) -> str:
    """Return a rule as people read it: "numeric_accuracy >= 0.90"."""
    rule = one.rule
    if rule.test is Threshold.NON_INFERIOR:
        return f"{rule.metric} at most {rule.bound:g} worse than the base"
    sign = ">=" if rule.test is Threshold.MIN else "<="
    end = {Threshold.MIN: "lower end of ", Threshold.MAX: "upper end of "}[rule.test]
    return f"{end if rule.by_interval else ''}{rule.metric} {sign} {rule.bound:g}"


def seen_words(one: Checked) -> str:
    """Return what was seen: "22/33 0.67 (0.50-0.80)", or a signed difference with its n."""
    if one.value is None:
        return f"0 of {one.total} scored"
    around = f" ({one.interval.low:.2f}-{one.interval.high:.2f})" if one.interval else ""
    if one.rule.test is Threshold.NON_INFERIOR and one.k is None and not one.reason:
        # A third digit: the end that decides must not look like the bound that it has passed.
        ends = f" ({one.interval.low:+.3f}..{one.interval.high:+.3f})" if one.interval else ""
        return f"Δ {one.value:+.3f}{ends}, {one.n} paired"
    counted = f"{one.k}/{one.n} " if one.k is not None else ""
    n = "" if one.k is not None else f", n={one.n}"
    left_out = f", {one.n} of {one.total} scored" if one.n < one.total else ""
    return f"{counted}{one.value:.2f}{around}{n}{left_out}"


def sure_words(one: Checked) -> str:
    """Return whether it would be so again, and of how many questions a person decided."""
    return f"{one.deterministic}, {one.by_people} by people" if one.by_people else one.deterministic


def why(one: Checked) -> str:
    """Return why a rule is neither passed nor failed, empty otherwise."""
    if not one.reason:
        return ""
    if one.reason == "too_few" and one.rule.test is Threshold.NON_INFERIOR:
        return f"fewer than min_scored = {one.rule.min_scored} are scored on both sides"
    words = REASONS[one.reason].format(n=one.n, least=one.rule.min_scored)
    return f"{one.errors} {words}" if one.reason == "errors" else words


def as_data(found: Gated) -> dict[str, Any]:
    """Return the verdict for `--json`; a missing number is null."""
    return {
        "ref": found.ref,
        "base": found.base,
        "verdict": found.verdict.value,
        "exit_code": found.exit_code,
        "rules": [_data(one) for one in found.checks],
    }


def _data(one: Checked) -> dict[str, Any]:
    rule = one.rule
    return {
        "metric": rule.metric,
        "test": rule.test.value,
        "bound": rule.bound,
        "by": "interval" if rule.by_interval or rule.test is Threshold.NON_INFERIOR else "value",
        "min_scored": rule.min_scored,
        "verdict": one.verdict.value,
        "reason": one.reason,
        "value": one.value,
        "k": one.k,
        "n": one.n,
        "total": one.total,
        "errors": one.errors,
        "low": one.interval.low if one.interval else None,
        "high": one.interval.high if one.interval else None,
        "deterministic": one.deterministic,
        "by_people": one.by_people,
    }


def write_junit(path: Path, found: Gated) -> None:
    """Write one test suite with a case for each rule, whole or not at all.

    Raises:
        InputError: the file cannot be written.
    """
    suite = ET.Element("testsuite", _counts(found))
    for one in found.checks:
        case = ET.SubElement(
            suite, "testcase", {"classname": _xml(found.ref), "name": _xml(rule_words(one))}
        )
        if one.verdict is Verdict.FAIL:
            ET.SubElement(case, "failure", {"message": _xml(seen_words(one))})
        elif one.verdict is not Verdict.PASS:
            ET.SubElement(case, "error", {"message": _xml(why(one))})
        ET.SubElement(case, "system-out").text = _xml(f"{seen_words(one)}; {sure_words(one)}")
    whole = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_bytes(whole)
        beside.replace(path)
    except OSError as error:
        raise InputError(f"the JUnit file {path} cannot be written: {error.strerror}") from error


def _counts(found: Gated) -> dict[str, str]:
    failed = sum(one.verdict is Verdict.FAIL for one in found.checks)
    passed = sum(one.verdict is Verdict.PASS for one in found.checks)
    counts = {"tests": len(found.checks), "failures": failed}
    counts["errors"] = len(found.checks) - failed - passed
    return {"name": _xml(f"ragdash gate {found.ref}"), **{k: str(n) for k, n in counts.items()}}


def _xml(text: str) -> str:
    return _UNPRINTABLE.sub("\ufffd", text)
