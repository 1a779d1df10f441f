"""One row of a report: who said what of it, in cells of escaped text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragdash.amounts.written import amount
from ragdash.export.bars import shown
from ragdash.export.words import say, term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.export.records import Record

COLUMNS = ("mode", "question", "gold", "answer", "outcome", "layer", "scores", "people")
_WIDE = ("question", "answer", "layer", "people")


def cells(record: Record, lang: str) -> Iterator[str]:
    """Yield the cells of a row, in the order of `COLUMNS`."""
    found = (
        [shown(record["mode"])],
        _question(record, lang),
        _gold(record, lang),
        _answer(record, lang),
        _outcome(record, lang),
        _layer(record, lang),
        _scores(record, lang),
        _people(record, lang),
    )
    for name, parts in zip(COLUMNS, found, strict=True):
        wide = ' class="text"' if name in _WIDE else ""
        head = shown(say(f"col.{name}", lang))
        yield f'<td{wide} data-head="{head}">{"<br>".join(part for part in parts if part)}</td>'


def _small(text: str) -> str:
    return f"<small>{shown(text)}</small>" if text else ""


def _question(record: Record, lang: str) -> list[str]:
    kind = term("kind", record["kind"], lang)
    of = [record["question_id"], record["company"], record["period"], kind]
    return [shown(record["question"]), _small(" · ".join(str(one) for one in of if one))]


def _gold(record: Record, lang: str) -> list[str]:
    exact = [amount(gold["value"], gold["unit"]) for gold in record["golds"]]
    exact = [
        " · ".join([figure, *_under(gold, lang)])
        for figure, gold in zip(exact, record["golds"], strict=True)
    ]
    pages = [f"{place['doc_id']} P{place['page']}" for place in record["evidence"] or []]
    return [shown(record["gold_text"]), *map(_small, [*exact, *pages])]


def _under(gold: Record, lang: str) -> list[str]:
    """Return the caliber of a gold figure: metric, scope, attribution and period where given."""
    coded = [term(name, gold[name], lang) for name in ("scope", "attribution") if gold[name]]
    named = [gold["metric"], *coded, gold["period"]]
    return [str(word) for word in named if word]


def _answer(record: Record, lang: str) -> list[str]:
    cited = "; ".join(one["text"] for one in record["citations"])
    reason = record["answer_reason"]
    parts = [shown(record["answer"]), _small(reason)]
    if cited:
        parts.append(_small(f"{say('citations', lang)}: {cited}"))
    if record["raw"] != record["answer"] and record["raw"]:
        parts.append(_folded(say("raw", lang), [shown(record["raw"])]))
    return parts


def _folded(summary: str, inside: list[str]) -> str:
    return f"<details><summary>{shown(summary)}</summary>{'<br>'.join(inside)}</details>"


def _outcome(record: Record, lang: str) -> list[str]:
    parts = [f"<strong>{shown(term('outcome', record['outcome'], lang))}</strong>"]
    if record["outcome_by"] is not None:
        parts.append(_small(say("by", lang, name=record["outcome_by"])))
        ruled = term("outcome", record["rule_outcome"], lang)
        parts.append(_small(say("rule", lang, word=ruled)))
    return parts


def _layer(record: Record, lang: str) -> list[str]:
    parts = [f"<strong>{shown(term('layer', record['layer'], lang))}</strong>"]
    if record["layer_by"] is not None:
        parts.append(_small(say("by", lang, name=record["layer_by"])))
    if record["layer"] != record["rule_layer"]:
        ruled = term("layer", record["rule_layer"], lang)
        parts.append(_small(say("rule", lang, word=ruled)))
    # What the rule advises is about the layer that it gave.
    elif record["diagnosis_reason"] is not None:
        parts.append(shown(record[f"evidence_{lang}"] or ""))
        parts.append(_small(say("try", lang, what=record[f"try_{lang}"] or "")))
        parts.append(_small(say("no_help", lang, what=record[f"no_help_{lang}"] or "")))
    if record["gold_final_rank"] is not None:
        parts.append(_small(say("rank", lang, rank=record["gold_final_rank"])))
    return parts


def _scores(record: Record, lang: str) -> list[str]:
    found = [_score(name, metric, lang) for name, metric in record["metrics"].items()]
    return [_folded(say("scores", lang, n=len(found)), found)] if found else []


def _score(name: str, metric: Record, lang: str) -> str:
    value = metric["value"]
    said = f"{value:.4g}" if value is not None else term("status", metric["status"], lang)
    parts = [metric["reason"].replace("_", " ")]
    if len(metric["repeats"]) > 1:
        parts.append(say("repeats", lang, n=len(metric["repeats"])))
    if metric["by"] is not None:
        parts.append(say("by", lang, name=metric["by"]))
    return f"{shown(name)} {shown(said)} {_small(', '.join(part for part in parts if part))}"


def _people(record: Record, lang: str) -> list[str]:
    parts = [say("disputed", lang)] if record["caliber_disputed"] else []
    for one in record["reviews"]:
        verdict = term("layer", one["verdict"], lang) if one["verdict"] else say("no_verdict", lang)
        parts.append(say("review", lang, name=one["reviewer"], at=one["at"], verdict=verdict))
        parts += _more(one, lang, {"flagged": one["flag"], "superseded": one["superseded"]})
    for one in record["checks"]:
        parts.append(
            say(
                "check",
                lang,
                name=one["reviewer"],
                at=one["at"],
                fit=term("fit", one["fit"], lang),
                confidence=term("confidence", one["confidence"], lang),
                **{name: _caliber(one[name], lang) for name in ("asked", "gold", "answered")},
            )
        )
        parts += _more(one, lang, {"blind": one["blind"], "superseded": one["superseded"]})
    return [shown(part) for part in parts]


def _caliber(code: str, lang: str) -> str:
    return term("caliber", code, lang)


def _more(one: dict[str, Any], lang: str, marks: dict[str, bool]) -> list[str]:
    """Return what else an opinion says: its marks, its page and its note."""
    said = [say(mark, lang) for mark, held in marks.items() if held]
    if one.get("doc_id"):
        said.append(say("page", lang, page=one["page"], doc=one["doc_id"]))
    return [*([", ".join(said)] if said else []), *([one["note"]] if one["note"] else [])]
