"""A selection as one HTML file: counts, charts and every row; no script, and nothing is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.export import bars
from ragdash.export.bars import Part, Range, shown
from ragdash.export.counts import Right, counts
from ragdash.export.report_rows import COLUMNS, cells
from ragdash.export.report_style import STYLE
from ragdash.export.words import say, term
from ragdash.views.frame import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ragdash.export.asking import Selection
    from ragdash.export.counts import Counts
    from ragdash.export.records import Record
    from ragdash.store.registered import RunRow

ANSWERS = ("correct", "wrong", "error", "unscored")
ABSTENTIONS = ("abstained_right", "abstained_wrong")
LAYERS = ("ingest", "recall", "ranking", "generation", "business", "undetermined")


def written(chosen: Selection, records: Iterable[Record], lang: str) -> Iterator[bytes]:
    """Yield the file in pieces: the head with its charts, then the rows as they come.

    Args:
        chosen: what is exported.
        records: its rows.
        lang: "en" or "zh", for words of our own; content stays as it is.
    """
    title = say("title", lang, ref=chosen.ref)
    yield _encoded(
        f'<!doctype html><html lang="{say("lang", lang)}"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{shown(title)}</title><style>{STYLE}</style></head><body><main>"
        f"<h1>{shown(title)}</h1>\n{_head(chosen, lang)}"
    )
    if not chosen.keys:
        yield _encoded(f"<p>{shown(say('none', lang))}</p></main></body></html>\n")
        return
    yield _encoded(_charts(chosen, counts(chosen), lang))
    names = "".join(f'<th scope="col">{shown(say(f"col.{c}", lang))}</th>' for c in COLUMNS)
    yield _encoded(
        f'<h2>{shown(say("table", lang))}</h2>\n<div class="wide" tabindex="0" role="region" '
        f'aria-label="{shown(say("table", lang))}"><table><thead><tr>{names}</tr></thead><tbody>\n'
    )
    for record in records:
        yield _encoded(f"<tr>{''.join(cells(record, lang))}</tr>\n")
    yield _encoded("</tbody></table></div></main></body></html>\n")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8")


def _head(chosen: Selection, lang: str) -> str:
    run = chosen.run
    total = run.n_questions * len(chosen.modes)
    n = len(chosen.keys)
    facts = {
        "fact.run": run.run_id,
        "fact.version": str(run.version),
        "fact.started": run.started_at,
        "fact.corpus": f"{run.corpus_name or ''} {run.corpus_digest or ''}".strip(),
        "fact.questions": f"{run.questions_name} {run.questions_digest}",
        "fact.imported": _imported(run),
        "fact.config": run.config_digest,
        "fact.generator": named(run.config.get("generator")),
        "fact.judge": named(run.config.get("judge")),
        "filter": chosen.where or None,
        "base": chosen.base,
    }
    listed = "".join(
        f"<dt>{shown(say(key, lang))}</dt><dd>{shown(value)}</dd>"
        for key, value in facts.items()
        if value
    )
    held = set(chosen.keys)
    said = say(
        "people",
        lang,
        reviews=sum((r.key.mode, r.key.question_id) in held for r in chosen.reviews),
        checks=sum((c.key.mode, c.key.question_id) in held for c in chosen.checks),
    )
    rows = say("rows.all" if n == total else "rows", lang, n=n, total=total)
    return f'<p class="n">{shown(rows)}</p><dl>{listed}</dl><p>{shown(said)}</p>\n'


def _charts(chosen: Selection, found: Counts, lang: str) -> str:
    errors = ""
    if found.judge_errors:
        told = say("judge.errors", lang, k=found.judge_errors, n=found.judge_tried)
        errors = f'<p class="banner">{shown(told)}</p>\n'

    def by_mode(title: str, group: str, codes: tuple[str, ...]) -> str:
        held = found.layers if group == "layer" else found.outcomes
        drawn = [
            (mode, [_part(group, code, held[mode].get(code, 0), lang) for code in codes])
            for mode in chosen.modes
        ]
        return bars.stacked(say(title, lang), drawn, say("chart.none", lang))

    return (
        errors
        + _headline(chosen, found, lang)
        + by_mode("chart.outcomes", "outcome", ANSWERS)
        + by_mode("chart.abstained", "outcome", ABSTENTIONS)
        + by_mode("chart.layers", "layer", LAYERS)
    )


def _headline(chosen: Selection, found: Counts, lang: str) -> str:
    """Return the accuracy of the rows; of a part of the run beside that of the whole."""
    none = Right(0, 0, 0)
    drawn = []
    is_part = any(found.right.get(mode) != found.whole.get(mode) for mode in chosen.modes)
    for mode in chosen.modes:
        drawn.append(_range(mode, found.right.get(mode, none), lang))
        if is_part:
            drawn.append(_range(say("chart.whole", lang), found.whole.get(mode, none), lang))
    return bars.ranges(say("chart.headline.listed" if is_part else "chart.headline", lang), drawn)


def _imported(run: RunRow) -> str:
    """Return the file that a run was imported from with its system; empty for a run of ours."""
    found = run.config.get("imported")
    if not found:
        return ""
    told = [found["facts"].get(name) for name in ("system", "system_version")]
    return " · ".join([str(found["file"]), " ".join(str(word) for word in told if word)]).strip(
        " ·"
    )


def _part(group: str, code: str, n: int, lang: str) -> Part:
    return Part(f"{group}-{code}", term(group, code, lang), n)


def _range(mode: str, right: Right, lang: str) -> Range:
    between = right.interval
    if between is None:
        return Range(mode, None, 0, 0, say("chart.headline.none", lang, left=right.total))
    share = right.k / right.n
    counted = say("chart.headline.row", lang, k=right.k, n=right.n, left=right.total - right.n)
    words = f"{share:.2f} ({between.low:.2f}-{between.high:.2f}) {counted}"
    return Range(mode, share, between.low, between.high, words)
