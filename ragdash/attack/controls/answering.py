"""The raw answer of the layered policy: the chosen figure or sentence, in the filing's words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragdash.amounts import Kind, ScaleSource, Sign, read_amounts
from ragdash.attack.controls.agreement import CONFLICT_FLAG, best_of
from ragdash.caliber import find_terms
from ragdash.contract import refusal_text, strip_citations
from ragdash.core.attack import PolicyOutput, Quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ragdash.amounts import Amount
    from ragdash.attack.controls.working import Asked, Finding, Passage, Target, Working

# A call is a name of several words with an opening bracket; prose only describes one.
CALL = re.compile(r"(?<![A-Za-z0-9_])([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)\s?\(")
_LONGEST = 600
_NOT_GATED = 2_000
_ZH_SCALES = {0: "元", 3: "千元", 4: "万元", 6: "百万元", 8: "亿元"}
_EN_SCALES = {3: " thousand", 6: " million", 9: " billion"}
_SIGNS = {"USD": "$", "CNY": "RMB "}


def raw_answer(work: Working) -> PolicyOutput:
    """Return what a reader that obeys would say and do with what the controls have left it.

    It calls every tool that a passage still spells out: that nothing is called in the end is for
    C11 to ensure, not for this to be good.
    """
    asked = work.asked
    calls = tuple(dict.fromkeys(c for p in work.passages for c in CALL.findall(p.text)))
    said: list[tuple[str, Finding]] = []
    for target in asked.targets if asked else ():
        group = tuple(f for f in work.findings if f.target == target)
        # Sentences that contradict each other are all said; of others the best answers alone.
        group = group if _are_contradicting(group, work) else best_of(group)
        said += _each(group, target, asked) if asked else []
    if said:
        joint = "；" if asked and asked.lang == "zh" else "; "
        text = joint.join(dict.fromkeys(s.rstrip("。；;.") for s, _ in said))
        quotes = tuple(Quote(f.passage.id, _core(f)) for _, f in said)
        return _output(work, text + ("。" if joint == "；" else "."), quotes, calls)
    if not work.gated and work.passages:
        return _ungated(work, work.passages[0], calls)
    lang = asked.lang if asked else "en"
    return PolicyOutput(refusal_text(lang), (), refused=True, actions=calls, flags=work.flags)


def _are_contradicting(group: tuple[Finding, ...], work: Working) -> bool:
    return CONFLICT_FLAG in work.flags and all(f.amount is None for f in group)


def _ungated(work: Working, first: Passage, calls: tuple[str, ...]) -> PolicyOutput:
    """Without the evidence gate the first passage is the answer, whatever it says."""
    text = first.text[:_NOT_GATED].strip()
    return _output(work, text or "-", (Quote(first.id, text),), calls)


def _output(
    work: Working, text: str, quotes: tuple[Quote, ...], calls: tuple[str, ...]
) -> PolicyOutput:
    cited = tuple(dict.fromkeys(q.chunk_id for q in quotes))
    return PolicyOutput(text, cited, refused=False, actions=calls, flags=work.flags, quotes=quotes)


def _each(group: Iterable[Finding], target: Target, asked: Asked) -> list[tuple[str, Finding]]:
    """Say every different value once; a passage with the same one is cited beside it."""
    said: dict[object, str] = {}
    out = []
    for finding in group:
        value = finding.amount.value if finding.amount else finding.sentence
        said.setdefault(value, _statement(finding, target, asked))
        out.append((said[value], finding))
    return out


def _core(finding: Finding) -> str:
    """The words of the passage that a citation has to bear out."""
    return finding.amount.text if finding.amount else finding.sentence.strip()[:_LONGEST]


def _statement(finding: Finding, target: Target, asked: Asked) -> str:
    amount = finding.amount
    if amount is None:
        return strip_citations(finding.sentence).strip()[:_LONGEST]
    if "|" not in finding.sentence and (clause := _quoted(finding, amount)):
        return clause
    return _composed(finding, amount, target, asked)


def _quoted(finding: Finding, amount: Amount) -> str:
    """Return the sentence, or its clause, where it states this figure and no other of its kind."""
    text, (start, end) = finding.passage.text, finding.span
    cuts = [start, *(m.end() for m in re.finditer(r"[，；;]|, (?=[a-z])", text[start:end])), end]
    cuts = [start, *(c + start for c in cuts[1:-1]), end]
    low = max(c for c in cuts if c <= amount.span[0])
    high = min(c for c in cuts if c >= amount.span[1])
    for one, two in ((start, end), (start, high), (low, high)):
        piece = strip_citations(text[one:two]).strip(" \n，；;,、")
        others = [a for a in read_amounts(piece) if not a.excluded and a.kind is amount.kind]
        alone = len(others) == 1 and [a.value for a in others if a.asserted] == [amount.value]
        labelled = (one, two) == (start, end) or bool(find_terms(piece))
        if alone and labelled and len(piece) <= _LONGEST:
            return piece
    return ""


def _composed(finding: Finding, amount: Amount, target: Target, asked: Asked) -> str:
    """State one figure under the label that it stands under, as printed, with its table's unit."""
    row = finding.sentence.strip(" \n|")
    label = strip_citations(row.split("|")[0]).strip() if "|" in row else ""
    if not label or any(c.isdigit() for c in label):
        terms = [t for t in find_terms(asked.bare) if t.key in target.keys]
        label = (
            terms[0].alias
            if terms
            else ("所问数字" if asked.lang == "zh" else "The figure asked for")
        )
    year = target.year or finding.year
    figure = _written(amount, asked.lang)
    if asked.lang == "zh":
        when = f"{year}年" if year else ""
        return f"{when}{label}为{figure}"
    return f"{label[:1].upper()}{label[1:]} in {year}: {figure}" if year else f"{label}: {figure}"


def _written(amount: Amount, lang: str) -> str:
    text = " ".join(amount.text.split())
    if amount.sign in (Sign.MINUS, Sign.BRACKETS):
        text = "-" + text.strip("()（）-－−")
    if amount.scale_source is not ScaleSource.HEADER:
        return text
    if amount.kind is Kind.PERCENT:
        return text if "%" in text else f"{text}%"
    if amount.kind is not Kind.MONEY:
        return text
    power = amount.factor.adjusted()
    if lang == "zh" and amount.currency in (None, "CNY") and power in _ZH_SCALES:
        return text + _ZH_SCALES[power]
    bare = text.lstrip("-")
    sign = "" if bare.startswith(("$", "¥", "€", "£")) else _SIGNS.get(amount.currency or "", "")
    if power == 4 or power == 8:
        return f"{text}{_ZH_SCALES[power]}"
    return ("-" if text.startswith("-") else "") + sign + bare + _EN_SCALES.get(power, "")
