"""Statements that there is nothing: no impairment was recorded, 无商誉减值损失; a gold of 0 is met.

Rule: 零, 无 and nil are 0, 未披露 is not (issue 3; the project's metric definitions, section 3).
"""

from __future__ import annotations

import re
from decimal import Decimal

from ragdash.amounts.amount import Amount, Kind, Role, ScaleSource, Sign
from ragdash.amounts.fold import fold

# no information, 没有披露: what a report does not say is not nothing
_UNTOLD_EN = (
    r"(?!(?:\w+\s){0,4}(?:information|data|figures?|details?|disclos\w+|mentions?|evidence|numbers?|"
    r"amounts?|answers?|context|documents?|references?|indications?|doubt|longer|way)(?![a-z]))"
)
_THINGS_EN = (
    r"(?:\w+(?:\s|-)){0,4}(?:impairments?|charges?|loss(?:es)?|dividends?|debts?|borrowings?|gains?"
    r"|write-?downs?|expenses?|income|revenues?|goodwill|provisions?|repurchases?|buybacks?|shares?"
    r"|stores?|acquisitions?|interest|tax(?:es)?|payments?|loans?|notes?|liabilit\w+|assets?"
    r"|subsidies|subsidy|employees|contributions?|inventor(?:y|ies)|sales)(?![a-z])"
)
_UNTOLD_ZH = (
    r"(?![^。,，;；\n]{0,16}(?:披露|提[到及供]|给出|说明|显示|找到|列[示明出]|公布|记载|包含|涉及"
    r"|信息|资料|数据|单独|明确|具体|相关))"
)
_THINGS_ZH = (
    r"[^。,，;；\n\d]{0,10}(?:减值|损失|费用|收入|借款|负债|债券|股息|分红|股利|红利|质押|担保|商誉"
    r"|收益|支出|拨备|投资|补助|存货|利息|贷款|欠款|回购|门店|准备|亏损|资本化)"
)
_NOTHING = re.compile(
    rf"(?<![a-z])(?:(?:had|has|have|having|recorded|recogni[sz]ed|booked|incurred|paid|made|declared"
    rf"|issued|carried|held|there\s(?:was|were|is|are|have\sbeen|has\sbeen))\s+(?:no|zero|nil)"
    rf"|zero|without\sany|(?:did|does|do)(?:\snot|n't)\s(?:record|recogni[sz]e|book|incur|pay|make"
    rf"|declare|issue|carry|have|hold)(?:\sany)?)\s+{_UNTOLD_EN}{_THINGS_EN}"
    rf"|(?<![a-z])no\s+{_UNTOLD_EN}{_THINGS_EN}(?=\s(?:was|were|has\sbeen|have\sbeen|is|are)\s"
    rf"(?:\w+\s)?(?:record|recogni[sz]|book|incur|paid|made|declar|taken|requir|necessar))"
    rf"|[:：|][\s*_]{{0,4}}(?:none|nil|无|零|[—–]{{1,2}})[\s*_]{{0,4}}"
    rf"(?=[.。,，;；\n|)）(（\[【<”\"'*]|以上|source|$)"
    rf"|^\W*(?:none|nil|zero|零|无)\W*$"
    rf"|(?:(?<![绝])无(?![形法论关锡需从意])(?:任何|新增)?|没有(?:任何|新增)?|不存在(?:任何)?"
    rf"|(?:未|没有)(?:计提|发生|产生|确认|录得|支付|派发|宣派|分配|进行))"
    rf"{_UNTOLD_ZH}{_THINGS_ZH}",
    re.I,
)


def nothing_stated(answer: str) -> Amount | None:
    """Return the zero that an answer states without a number, None where it states none.

    Its kind is bare: nothing has no unit. Linear in the length of the answer.
    """
    folded = fold(answer)
    match = _NOTHING.search(folded.text)
    if match is None:
        return None
    span = folded.span(*match.span())
    return Amount(
        text=answer[slice(*span)],
        span=span,
        value=Decimal(0),
        kind=Kind.BARE,
        currency=None,
        sign=Sign.NONE,
        scale_source=ScaleSource.NONE,
        role=Role.ASSERTED,
        factor=Decimal(1),
        unit="",
        decimals=0,
    )
