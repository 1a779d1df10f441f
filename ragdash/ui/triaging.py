"""The triage list as markup: a question a row, a line for each mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.ui import chips, safe, walk
from ragdash.ui.i18n import current, t, term

if TYPE_CHECKING:
    from ragdash.ui import frame
    from ragdash.views.triage import Filters, Listed, Listing, ModeResult


def listing(shown: frame.View, filters: Filters, found: Listing) -> safe.Markup:
    """Return the list; the question opens its page in the mode that was filtered for.

    A list whose parts wrap, not a table: on a phone each part takes the whole width.
    """
    rows = "".join(_row(shown, filters, listed) for listed in found.questions)
    return safe.Markup(
        f'<ul aria-label="{safe.escape(t("triage.table"))}" style="list-style:none;margin:0;'
        f'padding:0;border:1px solid {safe.LINE};border-radius:.5rem">{rows}</ul>'
    )


def _row(shown: frame.View, filters: Filters, listed: Listed) -> safe.Markup:
    about = [listed.company, listed.period, term("kind", listed.kind)]
    lines = [chips.muted(safe.plain(" · ".join(part for part in about if part)))]
    if not listed.answerable:
        lines.append(chips.muted(t("triage.no_answer")))
    order = {mode: i for i, mode in enumerate(shown.facts.modes)}
    results = sorted(listed.results, key=lambda r: order.get(r.mode, len(order)))
    asked = [r for r in results if filters.mode in (None, r.mode)]
    parts = (
        ("1 1 20em", safe.join([_question(shown, filters, listed, asked), *lines])),
        ("2 1 24em", safe.join([_mode(shown, filters, listed.question_id, r) for r in asked])),
    )
    cells = "".join(f'<div style="flex:{flex};min-width:0">{part}</div>' for flex, part in parts)
    return safe.Markup(
        f'<li style="display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;padding:.6rem .8rem;margin:0;'
        f'overflow-wrap:anywhere;border-bottom:1px solid {safe.LINE};font-size:.95rem">{cells}</li>'
    )


def _question(
    shown: frame.View, filters: Filters, listed: Listed, asked: list[ModeResult]
) -> safe.Markup:
    matching = (
        r.mode
        for r in asked
        if (not filters.outcomes or r.outcome in filters.outcomes)
        and (not filters.layers or r.layer in filters.layers)
    )
    mode = filters.mode or next(matching, None)
    rest = listed.length - len(listed.text)
    text = safe.plain(listed.text, None) + (f" …+{rest:,} chars" if rest > 0 else "")
    lang = "zh-CN" if listed.lang == "zh" else "en"
    link = chips.link(
        safe.plain(listed.question_id),
        "question",
        run=shown.of_mode(mode),
        q=listed.question_id,
        **walk.params(filters),
    )
    return safe.Markup(
        f"<div>{link}"
        f'<div lang="{lang}" style="overflow-wrap:anywhere">{safe.escape(text)}</div></div>'
    )


def _mode(shown: frame.View, filters: Filters, question_id: str, result: ModeResult) -> safe.Markup:
    evidence = result.evidence_zh if current() == "zh" else result.evidence_en
    name = chips.link(
        result.mode,
        "question",
        run=shown.of_mode(result.mode),
        q=question_id,
        **walk.params(filters),
    )
    parts: list[str] = [
        safe.Markup(f'<span style="display:inline-block;min-width:4.6em">{name}</span>'),
        chips.outcome(result.outcome),
    ]
    if result.layer:
        parts += [safe.Markup("&nbsp; "), chips.layer(result.layer)]
    first = safe.Markup(f"<div>{safe.join(parts)}</div>")
    if evidence:
        indent = f'<div style="padding-left:4.9em">{chips.muted(evidence)}</div>'
        return safe.join([first, safe.Markup(indent)])
    return first
