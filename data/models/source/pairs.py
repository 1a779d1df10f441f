"""Training pairs: a question, the passage that answers it, and passages that only look like it.

The wrong passages are the traps of this product: another year or half-year of the same company,
another company, the parent company's statement, a segment, region, quarter or ratio table, the rest
of the right statement without the row, another note. Questions are Chinese or English and so are
passages, each with each. Everything follows from the seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from data.models.source.filings import Cut, Filing, Passage, asks, sheets
from data.models.source.ledger import (
    FACTS,
    GROUP,
    METRICS,
    PARENT,
    WORDS,
    Company,
    Invented,
    Key,
    Period,
    Public,
    public_companies,
)
from data.models.source.public import known_keys, public_tables, public_traps
from data.models.source.traps import NEGATIVES, Wanted, draw, invented_traps

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OTHER_LANGUAGE = {"zh": "en", "en": "zh"}
YEARS = range(2015, 2026)
# shares of all pairs
ZH, CROSSED, FROM_FACTS = 0.55, 0.25, 0.2
# shares among the pairs on invented companies
OF_PARENT, OF_HALF, IN_PROSE, IN_NOTE, NEXT_YEAR, SEARCHED = 0.15, 0.2, 0.18, 0.12, 0.15, 0.6
# the first places name training companies, the others those that are held out
TRAINED_PLACES = 13


@dataclass(frozen=True, slots=True)
class Pair:
    """One listwise example; `answer` is the figure as the right passage prints it."""

    question: str
    positive: str
    negatives: tuple[str, ...]
    answer: str
    question_lang: str
    passage_lang: str
    traps: tuple[str, ...]
    company: str
    public: bool


@dataclass(frozen=True, slots=True)
class Source:
    """Where pairs are drawn from: the generator, and whether its words are those held out."""

    rng: random.Random
    held_out: bool

    def company(self, lang: str) -> Company:
        """Return an invented company."""
        words, rng = WORDS[lang], self.rng
        places = words["places"]
        place = rng.choice(places[TRAINED_PLACES:] if self.held_out else places[:TRAINED_PLACES])
        trade = rng.choice(words["trades"])
        joint, other = ("", " ") if lang == "zh" else (" ", "")
        return Company(
            f"{place[0]}{joint}{trade[0]}",
            f"{place[1]}{other}{trade[1]}",
            lang,
            Invented(lang, random.Random(rng.getrandbits(32))),
        )

    def question(self, company: Company, key: Key, lang: str) -> str:
        """Return a question on a figure, in a language that need not be the company's."""
        words, rng = WORDS[lang], self.rng
        shape = METRICS[key.metric]
        metric = rng.choice(shape[lang])
        if key.scope == PARENT:
            metric = rng.choice(words["parent"]).format(m=metric)
        elif key.scope != GROUP:
            metric = f"{key.scope} {metric}"
        when = "halves" if key.period.half else "ends" if shape.get("stock") else "times"
        time = rng.choice(words[when]).format(y=key.period.year)
        if rng.random() < SEARCHED:
            template = rng.choice(words["searched"])
        else:
            templates = words["held_out" if self.held_out else "asked"]
            amount = shape["kind"] == "amount"
            template = rng.choice([t for t in templates if amount or not names_money(t)])
        name = company.name
        if lang != company.lang and "{l}" not in template:
            both = f"{company.other_name} ({company.name})"
            name = rng.choice([company.name, company.name, both, company.other_name])
        labels = company.words["halves_named" if key.period.half else "years_named"]
        label = rng.choice(labels).format(y=key.period.year)
        return str(template.format(c=name, l=label, t=time, m=metric))


def names_money(template: str) -> bool:
    """Return whether a question asks for an amount in a unit of money."""
    return "元" in template or "USD" in template


def training_pairs(count: int, seed: int, facts: Path = FACTS) -> list[Pair]:
    """Return pairs on invented companies and, among them, on public facts."""
    source = Source(random.Random(seed), held_out=False)
    public = public_companies(facts)
    pairs: list[Pair] = []
    while len(pairs) < count:
        made = (
            _public_pair(source, public)
            if source.rng.random() < FROM_FACTS
            else _invented_pair(source)
        )
        if made is not None:
            pairs.append(made)
    return pairs


def held_out_pairs(count: int, seed: int) -> list[Pair]:
    """Return pairs on other invented companies, half of them asked in other words."""
    source = Source(random.Random(seed), held_out=True)
    pairs: list[Pair] = []
    while len(pairs) < count:
        made = _invented_pair(source)
        if made is not None:
            pairs.append(made)
    return pairs


def _languages(rng: random.Random) -> tuple[str, str]:
    """Return the language of the question and that of the passage."""
    passage = "zh" if rng.random() < ZH else "en"
    crossed = rng.random() < CROSSED
    return OTHER_LANGUAGE[passage] if crossed else passage, passage


def _invented_pair(source: Source) -> Pair | None:
    rng = source.rng
    question_lang, lang = _languages(rng)
    company = source.company(lang)
    filing = Filing(company, Period(rng.choice(YEARS), rng.random() < OF_HALF), rng)
    right, metric = _right_passage(filing)
    key = next((k for k in right.states if (k.metric, k.period) == (metric, filing.period)), None)
    if key is None:
        return None
    wanted = Wanted(key, filing, _table_of(company, right.sheet, key, rng))
    if right.sheet == wanted.sheet["name"] and not key.period.half and rng.random() < NEXT_YEAR:
        # the next report states the figure as well, in the column beside its own
        later = Filing(company, key.period.before(-1), rng).table(wanted.sheet, wanted.cut)
        right = later if key in later.states else right
    others = [other for _ in range(2) if (other := source.company(lang)).name != company.name]
    drawn = draw(invented_traps(wanted, others), right, key, rng)
    question = source.question(company, key, question_lang)
    return _pair(question, question_lang, company, (right, key), drawn)


def _table_of(company: Company, name: str, key: Key, rng: random.Random) -> dict[str, Any]:
    """Return the table a passage was cut from; for notes and prose one like it."""
    same_scope = sheets(company, key.scope)
    named = [s for s in same_scope if key.metric in asks(s)] or same_scope
    return next((s for s in same_scope if s["name"] == name), None) or rng.choice(named)


def _right_passage(filing: Filing) -> tuple[Passage, str]:
    """Return a passage that answers a question, and the metric it is asked for."""
    rng, words = filing.rng, filing.company.words
    if (drawn := rng.random()) < IN_PROSE:
        passage = filing.prose(rng.choice(words["prose"]))
        return passage, rng.choice(list(passage.states)).metric
    scope = PARENT if rng.random() < OF_PARENT else GROUP
    if drawn < IN_PROSE + IN_NOTE:
        metric = rng.choice(words["noted"])
        return filing.note(metric, scope), metric
    sheet = rng.choice(sheets(filing.company, scope))
    metric = rng.choice(asks(sheet))
    return filing.table(sheet, Cut(around=metric)), metric


def _public_pair(source: Source, companies: Sequence[Company]) -> Pair | None:
    """Return a pair on a public fact; its passages hold public facts and nothing made up."""
    rng = source.rng
    company = rng.choice(companies)
    key = rng.choice(known_keys(company))
    filing = Filing(company, key.period.before(-rng.choice([0, 0, 1])), rng)
    tables = [t for t in public_tables(company, rng) if _states(t, key)]
    right = filing.table(table := rng.choice(tables), Cut(around=key.metric))
    if key not in right.states:
        return None
    question_lang = company.lang if rng.random() >= CROSSED else OTHER_LANGUAGE[company.lang]
    question = source.question(company, key, question_lang)
    drawn = draw(public_traps(Wanted(key, filing, table), companies), right, key, rng)
    return _pair(question, question_lang, company, (right, key), drawn)


def _states(table: dict[str, Any], key: Key) -> bool:
    rows = [(r[1], r[2] if len(r) > 2 else table["scope"]) for r in table["rows"]]
    return (key.metric, key.scope) in rows


def _pair(
    question: str,
    question_lang: str,
    company: Company,
    right: tuple[Passage, Key],
    drawn: Sequence[tuple[str, str]],
) -> Pair | None:
    """Return the pair, or None where there were too few wrong passages."""
    passage, key = right
    if len(drawn) < NEGATIVES:
        return None
    return Pair(
        question=question,
        positive=passage.text,
        negatives=tuple(text for text, _ in drawn),
        answer=passage.states[key],
        question_lang=question_lang,
        passage_lang=company.lang,
        traps=tuple(kind for _, kind in drawn),
        company=company.name,
        public=isinstance(company.ledger, Public),
    )
