"""The Gates page: the verdict of `ragdash gate` on the mode on view, rule by rule."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import streamlit as st

from ragdash.core.errors import InputError
from ragdash.gate.asking import RULES, gated, rules_file
from ragdash.gate.rules import Threshold, load_rules
from ragdash.gate.verdict import Verdict
from ragdash.store.layout import store_dir
from ragdash.store.registry import BASELINE
from ragdash.ui import chips, commands, formats, frame, notes, safe, sides
from ragdash.ui.i18n import t, term
from ragdash.views import runs as runs_view

if TYPE_CHECKING:
    from ragdash.gate.verdict import Checked, Gated

_OFFERED = 50
_MARKS = {
    Verdict.PASS: ("✓", chips.GOOD),
    Verdict.FAIL: ("✕", chips.BAD),
    Verdict.UNSCORED: ("–", "inherit"),
    Verdict.NOT_COMPARABLE: ("–", "inherit"),
}


def base_control(shown: frame.View, mode: str) -> str | None:
    """Offer what non-inferiority is held against, kept in `?base=`; None is the baseline tag."""
    asked = st.query_params.get("base")
    named = sides.named(shown, asked) if asked else None
    if asked and (named is None or (named.run is None and named.mode in (None, mode))):
        notes.note("base.gates", asked)
        asked = None
    options = list(dict.fromkeys(["", *([asked] if asked else []), *_others(shown, mode)]))
    st.session_state["pick.gate.base"] = asked or ""
    unnamed = t("gates.base.tag" if _has_baseline() else "gates.base.none")

    def write() -> None:
        chosen = st.session_state["pick.gate.base"]
        if chosen:
            st.query_params["base"] = chosen
        else:
            st.query_params.pop("base", None)

    st.selectbox(
        t("gates.base"),
        options,
        format_func=lambda ref: ref or unnamed,
        key="pick.gate.base",
        on_change=write,
    )
    return _whole(shown, asked)


def _has_baseline() -> bool:
    with frame.registry() as found:
        return found is not None and BASELINE in found.tags()


def _whole(shown: frame.View, asked: str | None) -> str | None:
    """Return a base as the command line names it: a mode alone is one of the run on view."""
    return shown.of_mode(asked) if asked in shown.facts.modes else asked


def _others(shown: frame.View, mode: str) -> list[str]:
    with frame.registry() as found:
        known = [] if found is None else runs_view.newest(found, "evaluation")
    mine = [shown.of_mode(m) for m in shown.facts.modes if m != mode]
    theirs = [
        f"{run.run_id}:{mode}"
        for run in known
        if run.questions_digest == shown.run.questions_digest
        and run.run_id != shown.run.run_id
        and mode in [m.mode for m in run.modes]
    ]
    return [*mine, *theirs[:_OFFERED]]


def verdict(shown: frame.View, mode: str, base: str | None) -> Gated:
    """Return the verdict; a file of rules that is none, or a base that cannot be, ends the page."""
    ref = str(shown.run.ref(mode))
    try:
        rules = load_rules(rules_file())
        with frame.registry() as registry:
            if registry is None:
                notes.empty_store()
            return gated(registry, store_dir(None), ref, base, rules)
    except InputError as error:
        st.error(t("gates.refused"))
        safe.text(str(error), key="gates.refused")
        st.stop()


def heading(found: Gated) -> safe.Markup:
    """Return the verdict on the whole, and what it was held against."""
    counts = [
        t("gates.count", n=n, verdict=term("gate", verdict.value))
        for verdict in Verdict
        if (n := sum(one.verdict is verdict for one in found.checks))
    ]
    against = t("gates.against", base=found.base) if found.base else t("gates.alone")
    return chips.note(_words(found.verdict), chips.muted(" · ".join([*counts, against])))


def table(shown: frame.View, mode: str, found: Gated) -> safe.Markup:
    """Return a row for each rule: verdict, rule, what was seen, whether it would be so again."""
    head = [t(f"gates.col.{name}") for name in ("verdict", "rule", "seen", "sure")]
    body = [
        [
            _mark(one.verdict),
            _rule(one),
            chips.lines(*_seen(one), _open(shown, mode, one)),
            _sure(one),
        ]
        for one in found.checks
    ]
    return safe.table(head, body, caption=t("gates.title"))


def _sure(one: Checked) -> safe.Markup:
    """Return whether it would be so again, and of how many questions a person decided."""
    people = t("review.by_people", n=one.by_people) if one.by_people else ""
    return chips.lines(term("sure", one.deterministic), chips.muted(people) if people else "")


def _mark(verdict: Verdict) -> safe.Markup:
    ink = _MARKS[verdict][1]
    return safe.Markup(
        f'<span style="color:{ink};font-weight:650">{safe.escape(_words(verdict))}</span>'
    )


def _words(verdict: Verdict) -> str:
    words = term("gate", verdict.value)
    return f"{_MARKS[verdict][0]} {words}"


def _rule(one: Checked) -> safe.Markup:
    rule = one.rule
    words = t(f"gates.rule.{rule.test.value}", bound=f"{rule.bound:g}")
    if rule.by_interval:
        words += t("gates.rule.interval")
    few = chips.muted(t("gates.rule.few", n=rule.min_scored)) if rule.min_scored > 1 else ""
    return chips.lines(safe.join([term("metric", rule.metric), " ", words]), few)


def _seen(one: Checked) -> list[str]:
    parts: list[str] = []
    if one.value is None:
        parts.append(formats.DASH)
    elif one.rule.test is Threshold.NON_INFERIOR and not one.reason:
        # A third digit: the end that decides must not look like the bound that it has passed.
        around = formats.interval(one.interval, sign=True, digits=3) if one.interval else ""
        words = t("compare.delta", delta=formats.signed(one.value, 3))
        parts += [safe.join([chips.strong(words), chips.aside(around)])]
        parts.append(chips.muted(t("compare.paired", n=one.n)))
    else:
        value = formats.number(one.value) if one.k is None else formats.share(one.k, one.n)
        around = formats.interval(one.interval) if one.interval else ""
        parts += [safe.join([chips.strong(value), chips.aside(around)])]
    if one.n < one.total and not (one.rule.test is Threshold.NON_INFERIOR and not one.reason):
        parts.append(chips.muted(t("compare.scored", n=one.n, total=one.total)))
    if one.reason:
        parts.append(_why(one))
    return parts


def _why(one: Checked) -> str:
    least = one.rule.min_scored
    if one.reason == "too_few":
        both = one.rule.test is Threshold.NON_INFERIOR
        return t(f"gates.reason.too_few{'.both' if both else ''}", n=one.n, least=least)
    return t(f"gates.reason.{one.reason}", n=one.errors)


def _open(shown: frame.View, mode: str, one: Checked) -> safe.Markup | str:
    """Lead from a failed rule to exactly the questions that are short of it."""
    if one.verdict is not Verdict.FAIL:
        return ""
    return chips.link(t("nav.triage"), "triage", run=shown.of_mode(mode), short=one.rule.metric)


def meaning() -> safe.Markup:
    """Return where the rules come from and what the exit codes are."""
    asked = os.environ.get(RULES)
    source = t("gates.rules.own", path=safe.plain(asked)) if asked else t("gates.rules.shipped")
    return chips.muted(f"{source} {t('gates.codes')}")


def same(found: Gated, base: str | None) -> None:
    """Show the command that gives the same verdict, and the one that moves the baseline."""
    st.header(t("gates.command"))
    against = ["--base", base] if base else []
    commands.show(commands.line("gate", found.ref, *against, "--junit", "gate.xml"))
    st.text(t("gates.baseline"))
    commands.show(commands.line("tag", found.ref, BASELINE, "--reason", "WHY"))
