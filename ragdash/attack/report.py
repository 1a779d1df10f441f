"""An attack run as the public contract's object, and as text for a terminal."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from ragdash.attack.outcomes import rate
from ragdash.attack.studied import controls, errors, open_cases, orders, provenance_off
from ragdash.jsonlines import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ragdash.attack.run import AttackRun
    from ragdash.core.attack import AttackRate, AttackRow, AttackSummary

RATES = (
    "unsafe_action",
    "unsupported_claim",
    "citation_failure",
    "abstention",
    "attack_success",
    "utility",
    "utility_under_attack",
    "over_abstention",
    "correct_abstention",
)
FAILURES = ("unsafe_action", "unsupported_claim", "citation_failure", "attack_success")
OTHERS = ("other_failure", "selective_accuracy", "coverage")
USES = ("utility", "utility_under_attack")
COSTS = ("abstention", "over_abstention", "correct_abstention")
ECHO = (
    "trusted_echo beats the defended policy on every column: "
    "only utility and the split of abstention tell them apart."
)


def contract_object(run: AttackRun) -> dict[str, Any]:
    """Return exactly what `attack --json` promises: plain JSON, no NaN."""
    return rows_and_summary(run.rows, run.summary)


def rows_and_summary(
    rows: Iterable[AttackRow], summary: Iterable[AttackSummary]
) -> dict[str, list[dict[str, Any]]]:
    """Return rows and summary by the names of the public contract."""
    return {
        "rows": [_row_object(row) for row in rows],
        "summary": [_summary_object(entry) for entry in summary],
    }


def _row_object(row: AttackRow) -> dict[str, Any]:
    if row.error:
        # Nothing was judged; a value here would be taken for one.
        named = {"policy": row.policy, "case_id": row.case_id, "class": row.attack_class}
        kind = {"answerable": row.answerable, "adversarial": row.adversarial}
        return {**named, **kind, "error": row.error}
    return {
        "policy": row.policy,
        "case_id": row.case_id,
        "class": row.attack_class,
        "answerable": row.answerable,
        "adversarial": row.adversarial,
        "answer": row.answer,
        "citations": list(row.citations),
        "actions": list(row.actions),
        "flags": list(row.flags),
        "refused": row.refused,
        "unsafe_action": row.unsafe_action,
        "citation_failure": row.citation_failure,
        "unsupported_claim": row.unsupported_claim,
        "correct": row.correct,
        "compromised": row.compromised,
        "channels": [channel.value for channel in row.channels],
        "fired": list(row.fired),
    }


def _summary_object(entry: AttackSummary) -> dict[str, Any]:
    rates: dict[str, AttackRate] = {name: getattr(entry, name) for name in RATES}
    counted = {name: {"k": r.k, "n": r.n, "rate": r.rate} for name, r in rates.items()}
    errors = {"errors": entry.errors.k} if entry.errors.k else {}
    return {"policy": entry.policy, "n": entry.n, **counted, **errors}


def as_text(run: AttackRun) -> str:
    """Return the run for a terminal: case rows, then failures, use, and the cost in its own."""
    trust = (
        "trust taken from the fixtures' own flags (oracle_trust)"
        if run.oracle_trust
        else "trust derived from the registry and the channel"
    )
    name = "The published six" if run.published else printable(run.fixtures_name)
    parts = [
        f"{name}: {run.n_cases} cases x {len(run.summary)} policies, {trust}.",
        _case_rows(run),
        "Failures (lower is better): k/n, rate, 95 % Wilson interval\n"
        + _rates(run.summary, FAILURES),
        "Failures per answered fixture: k/answered\n" + _per_answered(run),
        "Use (higher is better): answerable cases answered right and clean, without and under "
        "attack\n" + _rates(run.summary, USES),
        "Without an attack: failures among the other cases; right among the answered (selective "
        "accuracy) and answered among all (coverage)\n" + _rates(run.summary, OTHERS),
        "Attack success by class and channel: k/n\n" + _by_class(run),
        "Abstention: a cost, not a score. Over-abstention is over answerable cases; correct "
        "abstention is over the others\n" + _rates(run.summary, COSTS),
        open_cases(run),
        errors(run),
        orders(run),
        controls(run),
        provenance_off(run),
        "\n".join(_limits(run)),
    ]
    return "\n\n".join(part for part in parts if part)


def _by_class(run: AttackRun) -> str:
    """Count compromised rows by class, and name the channels."""
    classes = list(dict.fromkeys(row.attack_class for row in run.rows if row.adversarial))
    body = []
    for name in classes:
        cells = [name]
        for policy in run.policies:
            own = [
                r
                for r in run.rows
                if (r.policy, r.attack_class) == (policy, name) and r.adversarial and not r.error
            ]
            lost = [r for r in own if r.compromised]
            how = ", ".join(sorted({channel for r in lost for channel in r.channels}))
            cells.append(f"{len(lost)}/{len(own)}{f' {how}' if how else ''}")
        body.append(tuple(cells))
    return table([("class", *(printable(p) for p in run.policies)), *body])


def _case_rows(run: AttackRun) -> str:
    head = ("policy", "case", "class", "refused", "unsafe", "citation", "unsupported", "correct")
    body = [
        (
            printable(row.policy),
            printable(row.case_id),
            row.attack_class,
            *(str(int(yes)) for yes in (row.refused, row.unsafe_action)),
            f"{row.citation_failure:.2g}",
            *(str(int(yes)) for yes in (row.unsupported_claim, row.correct)),
            ", ".join(row.channels) or "-",
        )
        for row in run.rows
        if not row.error
    ]
    return "Cases\n" + table([(*head, "compromised by"), *body])


def _rates(summary: Sequence[AttackSummary], names: tuple[str, ...]) -> str:
    head = ("policy", *(name.replace("_", " ") for name in names))
    body = [
        (printable(e.policy), *(rate_text(getattr(e, name)) for name in names)) for e in summary
    ]
    return table([head, *body])


def rate_text(found: AttackRate) -> str:
    """Return k/n, the rate and its interval."""
    if found.rate is None:
        return "no such case"
    return f"{found.k}/{found.n} {found.rate:.2f} [{found.low:.2f}, {found.high:.2f}]"


def _per_answered(run: AttackRun) -> str:
    lines: list[tuple[str, ...]] = [("policy", *(name.replace("_", " ") for name in FAILURES[:3]))]
    for policy in run.policies:
        own = [row for row in run.rows if row.policy == policy and not row.error]
        answered = [row for row in own if not row.refused]
        counts = [rate(getattr(row, name) > 0 for row in answered) for name in FAILURES[:3]]
        shown = (f"{c.k}/{c.n}" if c.n else "answered none" for c in counts)
        lines.append((printable(policy), *shown))
    return table(lines)


def _limits(run: AttackRun) -> list[str]:
    """Say what the table means and what it does not establish."""
    lines = []
    if _echo_is_as_good(run):
        lines.append(ECHO)
    lines.append(
        f"What this does not establish: no model ran, {len(run.summary)} rule functions over "
        f"{run.n_cases} fixtures; token overlap is a smoke alarm, not a proof of support."
    )
    nothing = rate([False] * run.n_cases)
    lines.append(f"0/{nothing.n} still allows a true rate of {nothing.high:.2f}.")
    if run.published:
        lines.append(
            "The six carry no gold: correct means supported by trusted text with a trusted chunk "
            "cited, or refused where no answer exists."
        )
    return lines


def _echo_is_as_good(run: AttackRun) -> bool:
    found = {entry.policy: entry for entry in run.summary}
    if not run.published or not {"trusted_echo", "defended"} <= set(found):
        return False
    echo, defended = found["trusted_echo"], found["defended"]
    columns = (*FAILURES[:3], "abstention")
    return all(getattr(echo, name).k <= getattr(defended, name).k for name in columns)


def table(lines: Iterable[tuple[str, ...]]) -> str:
    """Align columns by display width: a Chinese character takes two."""
    rows = list(lines)
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    padded = (
        "  ".join(cell + " " * (w - _width(cell)) for cell, w in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(f"  {line.rstrip()}" for line in padded)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
