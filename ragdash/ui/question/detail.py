"""The Question page's head: what was asked, what became of it, the answer and its verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.core.score import MetricKind
from ragdash.ui import chips, formats, safe
from ragdash.ui.i18n import EXTRACTIVE, current, judge, labelled, reason, t, term
from ragdash.ui.question import numbers, repeats

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ragdash.views.question import Detail, Listed, Overridden, ScoreRow


def option(listed: Mapping[str, Listed]) -> Callable[[str], str]:
    """Return how a question reads in the picker."""
    return lambda q: f"{safe.plain(q)} · {safe.plain(listed[q].text)}" if q in listed else q


def heading(found: Detail, mode: str) -> None:
    """Show the question, what it is about, and what became of it in every mode."""
    question = found.question
    safe.render(
        safe.Markup(
            f'<div lang="{"zh-CN" if question["lang"] == "zh" else "en"}" style="font-size:1.2rem;'
            'font-weight:600;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5">'
            f"{safe.to_markup(safe.plain(question['text'], 2000))}</div>"
        )
    )
    about = (question["company"], question["period"], term("kind", question["kind"]))
    parts: list[str] = [chips.badge(safe.plain(part)) for part in about if part]
    if not question["answerable"]:
        parts.append(chips.badge(t("triage.no_answer")))
    for other, code in found.outcomes.items():
        words = safe.join([f"{other} ", chips.outcome(code)])
        parts.append(chips.strong(words) if other == mode else words)
    safe.render(chips.spaced(*parts))
    safe.render(by_whom(found))
    if question["note"]:
        safe.render(chips.muted(labelled(t("question.note"), safe.plain(question["note"]))))


def by_whom(found: Detail) -> safe.Markup:
    """Return whose verdict the outcome is and what the rule had said; nothing without a person."""
    result = found.result
    if result["caliber_verdict"] is None:
        return safe.Markup("")
    parts: list[str] = [*caliber_words(result)]
    if result["by_person"] and result["outcome_by"] is None:
        parts.append(chips.muted(t("review.other_figure")))
    if result["caliber_disputed"]:
        parts.append(chips.badge(t("review.disputed"), chips.BAD))
    return chips.spaced(*parts)


def caliber_words(result: Mapping[str, Any]) -> tuple[str, str]:
    """Return a person's caliber verdict with her name, and the outcome that the rule had given."""
    by = t(
        "review.by.caliber",
        name=safe.plain(result["caliber_reviewer"]),
        fit=term("fit", result["caliber_verdict"]),
    )
    return chips.strong(by), chips.muted(
        t("review.rule.outcome", outcome=term("outcome", result["rule_outcome"]))
    )


def lost(result: Mapping[str, Any]) -> str:
    """Return where a question was lost and, where a person says so, who; empty where nowhere."""
    layer, name = result["layer"], result["layer_by"]
    if layer and name:
        return t("question.lost.by", layer=term("layer", layer), name=safe.plain(name))
    if layer:
        return t("question.lost", layer=term("layer", layer))
    return t("question.not_lost", name=safe.plain(name)) if name else ""


def diagnosis(found: Detail) -> None:
    """Show where the question was lost, the evidence, what to try and what will not help.

    Evidence and advice are the rule's; where a person places it elsewhere the evidence says so and
    the advice, which is for the rule's layer, is left out.
    """
    result, lang = found.result, current()
    title = lost(result)
    if not title:
        return
    if not result["rule_layer"]:
        safe.render(chips.note(title, chips.muted(t("review.rule", layer=term("layer", "none")))))
        return
    body = [safe.plain(result[f"evidence_{lang}"] or "", None)]
    if result["layer"] == result["rule_layer"]:
        advice = {column: result[f"{column}_{lang}"] for column in ("try", "no_help")}
        body += [_advice(column, words) for column, words in advice.items() if words]
    else:
        body.insert(0, chips.muted(t("review.rule", layer=term("layer", result["rule_layer"]))))
    safe.render(chips.note(title, chips.lines(*body)))


def _advice(column: str, words: str) -> safe.Markup:
    label = chips.strong(t(f"question.{column}"))
    return safe.join([label, t("colon"), safe.plain(words, None)])


def answer(found: Detail) -> None:
    """Show the answer verbatim with every number of it marked, and what each was read as."""
    result = found.result
    read, judged = numbers.of_answer(found)
    safe.text(
        result["answer"],
        key="answer",
        lang=found.question["lang"],
        spans=numbers.marks(read),
    )
    if result["answer_status"] == "error":
        safe.render(chips.muted(formats.missing("error", result["answer_reason"])))
    safe.render(numbers.beside(read, label=t("numbers.table")))
    if read and not judged:
        safe.render(chips.muted(t("numbers.not_judged")))
    words = (
        t("question.extractive")
        if result["generator"] in EXTRACTIVE
        else labelled(t("question.generator"), safe.plain(result["generator"] or formats.DASH))
    )
    safe.render(chips.muted(words))
    if result["outcome"] == "correct" and not result["caliber_reviewed"]:
        safe.render(chips.badge(t("question.unreviewed")))


def verdicts(found: Detail, *, gates: bool) -> safe.Markup:
    """Return the gates of this answer, or every other metric, with value or why there is none."""
    by_metric: dict[str, list[ScoreRow]] = {}
    for score in found.scores:
        if (score.kind is MetricKind.GATE) == gates and score.reason != "not_judged":
            by_metric.setdefault(score.metric, []).append(score)
    rows = []
    for name, scores in by_metric.items():
        mark = {"gate": "■ ", "signal": "≈ "}.get(scores[0].kind.value, "")
        rows.append((mark + term("metric", name), value(scores), _reason(scores)))
    if not rows:
        return chips.muted(t("question.no_verdict"))
    return chips.tiles(rows, label=t(f"question.verdicts.{'gates' if gates else 'others'}"))


def value(scores: Sequence[ScoreRow]) -> str:
    """Return what a metric came to: a verdict, a number, the mean of repeats, or a dash."""
    return _value(scores[0]) if len(scores) == 1 else repeats.summary(scores)


def _value(score: ScoreRow) -> str:
    if score.value is None:
        return f"{formats.DASH} {term('status', score.status)}"
    if score.kind.value == "gate" and score.value in (0, 1):
        cost = score.metric == "over_refusal"
        passed = (score.value == 1) != cost
        return chips.verdict(passed, t("word.pass" if passed else "word.fail"))
    return formats.number(score.value)


def _reason(scores: Sequence[ScoreRow]) -> str:
    reasons = [reason(score.reason) for score in scores]
    for score in scores:
        if score.overridden is not None:
            reasons += [t("review.by", name=score.overridden.by), _ruled(score.overridden)]
    words = dict.fromkeys([*reasons, judge(scores[0].judge)])
    return safe.plain(" · ".join(word for word in words if word))


def _ruled(ruled: Overridden) -> str:
    """Return what the rule had said where a person has decided: its value and its reason."""
    if ruled.value is None:
        words = term("status", ruled.status)
    else:
        words = t("word.pass" if ruled.value == 1 else "word.fail")
    return t("review.rule.score", value=f"{words} ({reason(ruled.reason)})")
