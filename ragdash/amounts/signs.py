"""The sign of an amount: minus, accounting brackets, and words for loss and decline."""

from __future__ import annotations

import re

from ragdash.amounts.amount import Kind, Sign

_WINDOW = 48
_CLAUSE = re.compile(
    r"[。;!?\n|]|\.\s"
    r"|,(?!\s*(?:or|即|约|降幅|(?:亏损)?[金数总]?额|amounting|totall?ing|in the amount))"
)
_DOWN = (
    r"下降|减少|下滑|降低|下跌|缩减|回落|负增长|降幅|跌幅|同比降|环比降|"
    r"收窄|锐减|骤降|大跌|缩水|萎缩|下挫|走低|[降跌](?=了?[约近]?\s?(?:\d|\Z))|"
    r"(?<![a-z])(?:decreas\w*|declin\w*|fell|falls?|fallen|falling|down|dropp?\w*|lower|reduc\w*|"
    r"contract(?:ed|ion)|shr[aiu]nk\w*|slid|slipped|minus|negative|narrow\w*|compress\w*|plung\w*|plummet\w*|tumbl\w*|sank|slump\w*|"
    r"dipp?\w*|weaken\w*|retreat\w*|eased|worsen\w*)(?![a-z])"
)
_UP = (
    r"增长|增加|上升|提高|上涨|提升|增幅|涨幅|改善|飙升|攀升|激增|大增|回升|走高|[增升涨](?=了?[约近]?\s?(?:\d|\Z))|"
    r"(?<![a-z])(?:grew|grow\w*|increas\w*|rose|ris(?:e|es|en|ing)|up|gain\w*|higher|improv\w*|"
    r"climb\w*|expan\w*|surg\w*|jump\w*|soar\w*|advanc\w*|rebound\w*)(?![a-z])"
)
_LOSS = (
    r"(?<!减)(?<!扭)亏损(?!(?:减少|收窄|减)(?![至到为])|率)|净亏|净流出|"
    r"(?<![a-z])negative\s(?=(?:\w+\s){0,2}(?:cash|earnings|income|ebitda|equity|working|profits?)"
    r"(?![a-z]))|"
    r"(?<![a-z])(?:(?:net|operating|pre-?tax|quarterly|annual)\s+loss(?:es)?"
    r"|loss(?:es)?\s+(?:per|before|from\s+operations|for\s+the|attributable)"
    r"|(?:a|the|its|their|this|posted|reported|recorded|incurred)\s+(?:a\s+)?loss(?:es)?|lost"
    r"|loss(?:es)?\s+(?:of|amount\w*|was|were|total\w*|came|reach\w*|widen\w*|stood)|net\s+(?:cash\s+)?outflow)(?![a-z])"
)
_WORD = re.compile(rf"(?P<loss>{_LOSS})|(?P<down>{_DOWN})|(?P<up>{_UP})", re.I)
# 信用减值损失, "provision for credit losses": an item with a loss in its name, no loss made
_ITEM = re.compile(
    r"(?<![a-z])(?:(?:credit|impairment|loans?|investment|actuarial|translation|(?:un)?realized|hedging|exchange"
    r"|goodwill|lease|inventory|expected|tax)\s+(?:\w+\s+)?"
    r"|(?:provisions?|allowances?|reserves?)\s+(?:for|against)\s+(?:\w+\s+){0,2})loss(?:es)?(?![a-z])"
    r"|(?<![a-z])loss(?:es)?\s+(?:rates?|ratios?|allowances?|reserves?|provisions?|carry-?forwards?"
    r"|absor\w+|adjust\w+|given)(?![a-z])",
    re.I,
)
_TURN = re.compile(
    r"但|而|转|变|至|(?<![a-z])(?:but|while|whereas|however|yet|to|from|compared|versus|vs|against|than)"
    r"(?![a-z])",
    re.I,
)
_OWN_METRIC = re.compile(
    r"利润|收入|盈利|(?<![a-z])(?:income(?!\s+tax)|profits?|earnings|revenues?|sales)(?![a-z])",
    re.I,
)
# the lower tax rate of 15%, 下降后的税率: a word before a noun that is no decline of it
_ADJECTIVE = re.compile(r"(?:lower|reduced|declining|decreasing|falling|shrinking)\Z", re.I)
_ARTICLE = re.compile(r"(?<![a-z])(?:the|an?|its|our|their|this|that)\s+\Z", re.I)
_BY = re.compile(r"(?<![a-z])by\s(?:about\s|approximately\s|nearly\s|roughly\s|some\s)?\W*\Z", re.I)
_LEVEL = re.compile(
    r"(?:至|到|自|从|由)\s?(?:约|近|人民币)?\s?$|(?<![a-z])(?:to|from|at)\s[^\d]{0,14}$", re.I
)
_FROM_TO = re.compile(
    r"(?:[由从自]|(?<![a-z])from\s)[^;]{1,30}(?:[至到]|(?<![a-z])to\s)[^\d]{0,6}$", re.I
)
_TIGHT = re.compile(
    r"\s?(?:了|约|近|达|人民币|额|幅|为|金额|by|about|approximately|nearly|roughly|of|was|:|-)*"
    r"(?:\s?(?:by|about|approximately|nearly|roughly|of|was))*\s?",
    re.I,
)
_AFTER = re.compile(
    r"\s?(?:的\s?)?(?:降幅|跌幅|(?:下降|下滑|减少|下跌|降低)(?:幅度|额)?)(?=\s*(?:[。,;、)!?|\n]|\Z))"
    r"|(?:\s(?:year-over-year|yoy|annual|\w+))?\s"
    r"(?:decrease|decline|drop|reduction|fall|contraction)(?![a-z])"
    r"|\s(?:lower|less)(?=\s+than(?![a-z])|\s*(?:[.,;)!?|\n]|\Z))",
    re.I,
)
_CLOSED_BRACKET = re.compile(r"[(（][^()（）]*[)）]")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_MINUS_AFTER = re.compile(r"(?:^|[\s\"'“「『(:|=≈≅≒→<>≤≥,;、。\u4e00-\u9fff])$")


def explicit_sign(text: str, start: int) -> Sign:
    """Return minus where one is written directly before a number or its currency at `start`.

    A bullet, a range, a hyphen and the operator of a subtraction are none.
    """
    before = text[max(0, start - 10) : start]
    if before.endswith(("负", "negative ", "minus ")):
        return Sign.MINUS
    if before[-1:] in ("-", "–"):
        rest = before[:-1]
        return Sign.MINUS if not rest or _MINUS_AFTER.search(rest) else Sign.NONE
    if before.endswith(("- ", "– ")) and re.search(r"[:为是=≈] ?\Z", before[:-2]):
        return Sign.MINUS
    return Sign.NONE


def word_sign(text: str, start: int, end: int, kind: Kind) -> Sign:
    """Return the sign that words of the same clause give to an amount at start to end.

    A loss makes money negative, a decline a percentage, a point or an amount that directly follows
    it ("fell by $3 million"); "fell to" and 降至 state a level and give no sign.
    """
    if _AFTER.match(text, end) and kind is not Kind.COUNT:
        return Sign.DECLINE_WORD
    low = max(0, start - _WINDOW)
    window = text[low:start]
    if _LETTER.search(window) is None:
        return Sign.NONE
    cuts = [m.end() for m in _CLAUSE.finditer(window)]
    clause = window[cuts[-1] :] if cuts else window
    # 净利润（净亏损以“-”号填列） and "net income (loss)" name the row, they do not turn its sign.
    clause = _CLOSED_BRACKET.sub(lambda m: " " * len(m[0]), clause)
    clause = _ITEM.sub(lambda m: " " * len(m[0]), clause)
    words = list(_WORD.finditer(clause))
    if not words:
        return Sign.NONE
    last = words[-1]
    between = clause[last.end() :]
    if not last["loss"] and _LEVEL.search(between) and any(w["loss"] for w in words):
        return _loss_sign(_DIGIT.sub("", between), kind)
    if last["up"]:
        return Sign.NONE
    if last["loss"]:
        return _loss_sign(between, kind)
    if _LEVEL.search(between) or _is_adjective(clause, last, between):
        return Sign.NONE
    if _states_level(clause[: last.start()], last[0], between):
        return Sign.NONE
    if kind in (Kind.PERCENT, Kind.PP, Kind.RATIO):
        far = _DIGIT.search(between) and not re.search(r",?\s?(?:or|即|[(])\s?$", between)
        return Sign.NONE if far else Sign.DECLINE_WORD
    return Sign.DECLINE_WORD if _TIGHT.fullmatch(between) else Sign.NONE


def _loss_sign(between: str, kind: Kind) -> Sign:
    """A loss makes money negative, unless the clause turns to a figure of another name."""
    if kind not in (Kind.MONEY, Kind.PER_SHARE, Kind.BARE):
        return Sign.NONE
    if _DIGIT.search(between) and _FROM_TO.search(between) is None:
        return Sign.NONE
    turn = _TURN.search(between)
    if turn is not None and _OWN_METRIC.search(between, turn.end()):
        return Sign.NONE
    return Sign.LOSS_WORD


def _is_adjective(clause: str, word: re.Match[str], between: str) -> bool:
    """Whether a word of decline only describes the noun that the amount is of."""
    if re.match(r"后的?|的(?!\s?(?:幅度|比例|百分点|金额|数额|约|近|达|\Z))", between):
        return True
    described = _ADJECTIVE.search(word[0]) or (
        word[0].lower() == "decreased" and _ARTICLE.search(clause[: word.start()])
    )
    return bool(described) and not (_TIGHT.fullmatch(between) or _BY.search(between))


def _states_level(before: str, word: str, between: str) -> bool:
    """由20.1%下降为15.07% states what was reached; 同比下降为15.07% and 降幅为 how far it fell."""
    if word.endswith("幅") or not re.match(r"\s?为", between):
        return False
    return re.search(r"[由从自]", before) is not None or not re.search(r"[同环]比|较|比上", before)
