"""What declining looks like in English and Chinese: who or what fails, and at finding what.

Patterns name the structure (the material or the speaker, a negation, a verb of finding, stating or
knowing) and not the phrases of one model. Every quantifier over free text is bounded, so that a
search is linear in the text. They expect text folded by `fold`.
"""

from __future__ import annotations

import re

# one character for one, so that positions stay: quotes, and the traditional forms used below
_FOLD = str.maketrans(
    "’‘＇“”；！？：，（）無資據數確計該問題檢沒關內報夠難斷獲應給對見時暫況說寫從標缺詢尋現錄載檔範圍覆顯揭後來並僅處",
    "'''\"\";!?:,()无资据数确计该问题检没关内报够难断获应给对见时暂况说写从标缺询寻现录载档范围复显揭后来并仅处",
)

_THING = (
    r"(?:information|context|texts?|documents?|filings?|data|excerpts?|extracts?|evidence|reports?|"
    r"statements?|10-?[kq]|8-?k|passages?|sources?|chunks?|pages?|snippets?|records?|materials|"
    r"material\s+(?:provided|supplied|given|I|we)|(?:supplied|provided|given)\s+material|"
    r"disclosures?|contents?|files?|balance\s+sheets?|footnotes?|sections?)"
)
THING_EN = re.compile(rf"\b{_THING}\b", re.I)
_INFO = (
    r"(?:information|data|details?|figures?|evidence|context|numbers?(?!\s+of)|breakdowns?"
    r"|amounts?)"
)
_STATE = (
    r"(?:include|contain|provide|specify|mention|disclose|have|offer|give|state|indicate|cover|"
    r"report|list|show|present|supply|reveal|discuss|say|speak|refer|detail|address|identify|"
    r"quantify|clarify|answer|support|allow|confirm|tell|make\s+(?:any\s+)?(?:mention|reference)|"
    r"break\s+(?:out|down))"
)
_STATED = (
    r"(?:provided|available|disclosed|specified|included|mentioned|given|found|stated|reported|"
    r"contained|present|presented|listed|shown|displayed|supplied|indicated|covered|detailed|"
    r"identified|addressed|discussed|broken\s+out)"
)
_WORK_OUT = (
    r"(?:calculat|determin|answer|provid|comput|find|found|give|ascertain|confirm|assess|conclude|"
    r"say|tell|locat|identif|access|make|draw|retriev|verif|deriv|help|see|work\s+out|establish|"
    r"infer|respond|known?\b)\w*"
)
_ADV = r"(?:(?:\w+ly|also|even|yet|still|appear\s+to|seem\s+to)\s+){0,2}"
_CAN = r"(?:can\s?not|can't|could\s+not|couldn't)"
_NOT = r"(?:\s+not|n't)"
_UNABLE = r"(?:unable|not\s+able|n't\s+able)\s+to"
_IMPERSONAL = (
    r"(?:impossible|not\s+(?:\w+ly\s+)?(?:possible|feasible)|no\s+way)\s+(?:for\s+me\s+)?to"
)
_SPEAKER = (
    r"(?:(?<!if\s)\b(?:I|we|one|you|assistant)\b"
    r"|(?:^|[,;:.]|\b(?:so|and|but|thus|hence|therefore)\b))"
)
# the end of a clause, the material, or a period: what follows "not available" where it declines
_UNSTATED_TAIL = (
    r"(?=\s*(?:$|[.,;:!?)\"*])"
    r"|\s+(?:\w+ly\s+)?(?:in|within|from|among|by|on|anywhere|here)\b"
    rf"(?:[^.!?\n]{{0,50}}?\b{_THING}|\s*$)"
    r"|\s+for\s+(?:the\s+)?(?:fiscal|FY|year|quarter|period|[12]\d{3}|Q[1-4]|H[12])"
    r"|\s+to\s+(?:calculat|determin|answer|comput)"
    r"|\s+(?:so|and|but|or|which|therefore|hence|directly|explicitly|either)\b)"
)
_CANNOT = (
    rf"(?:{_SPEAKER}\s*(?:\w+ly\s+|still\s+|also\s+)?{_CAN}"
    rf"|{_SPEAKER}\s*(?:'m|'re|am|are|is|was|were|will\s+be|would\s+be)?\s*(?:\w+ly\s+)?{_UNABLE}"
    rf"|\b{_THING}\s+(?:is|are)\s+{_UNABLE}|\b{_IMPERSONAL}"
    rf"|\b(?:{_CAN}|{_UNABLE})\s+(?:\w+ly\s+)?be)\s+{_ADV}"
)
# between the material and its verb no new subject
_GAP_EN = r"(?:(?!,\s*(?:the\s+company|this|it|there)\b|,\s*(?-i:[A-Z]))[^.!?\n]|\.(?=\d)){0,80}?"
_UNSTATED_EN = re.compile(
    rf"\b{_THING}\b{_GAP_EN}\b(?:does|do|did){_NOT}\s+{_ADV}{_STATE}"
    rf"|\b(?:none\s+of|neither)\b[^.!?\n]{{0,40}}?\b{_THING}\b[^.!?\n]{{0,30}}?\b{_STATE}"
    rf"|\bnot\s+{_ADV}appear\s+(?:in|on|within|anywhere)\b"
    rf"|(?:\bnot|n't)\s+(?:in|among|within|part\s+of)\b[^.!?,\n]{{0,30}}?\b{_THING}"
    rf"|\b{_THING}\b[^.!?,\n]{{0,40}}?\b(?:makes?|has|have|contains?|gives?|provides?)\s+no\b"
    rf"|\b{_THING}\s+(?:\w+\s+){{0,3}}?(?:is|are|remains?)\s+(?:\w+ly\s+)?silent\b"
    rf"|\b{_THING}\s+(?:\w+\s+){{0,3}}?(?:lacks?\b|(?:is|are)(?:\s+insufficient|\s+inadequate"
    rf"|{_NOT}\s+sufficient|{_NOT}\s+enough)\b)"
    rf"|\bnothing\s+(?:in|about|on|for)\b(?:[^.!?\n]{{0,40}}?\b{_THING}|\s+[12]\d{{3}})"
    rf"|\b{_THING}\b{_GAP_EN}\bnothing\s+(?:on|about|regarding|for|of)\b"
    rf"|(?:\bnot|n't)\s+(?:something|anything)\b[^.!?\n]{{0,30}}?\b{_THING}"
    r"|(?:\bnot|n't)\s+(?:\w+ly\s+)?(?:determin|calcul|comput|deriv|answer|ascertain)able\b"
    rf"|\b{_THING}\s+(?:\w+\s+){{0,3}}?(?:is|are)\s+(?:about|for|from)\s+(?:an?\s+)?(?:other|another|different)\b"
    rf"|\bonly\s+[^.!?\n]{{0,40}}?\b(?:is|are)\s+covered\b"
    rf"|\b(?:missing|absent|omitted)\s+from\b[^.!?\n]{{0,40}}?\b{_THING}|\bunclear\s+from\b"
    rf"|(?:\bnot|n't)\s+{_ADV}{_STATED}{_UNSTATED_TAIL}"
    # there is no such information
    r"|\bno\s+(?:such\s+)?(?:\w+\s+){0,2}(?:information|mention|data|details?|figures?|disclosure"
    r"|evidence|reference|answer)\b(?!\s+(?:breach|loss|cent))"
    rf"|(?<!had\s)\b(?:insufficient|not\s+enough|inadequate)\s+(?:\w+\s+){{0,2}}{_INFO}"
    rf"|n't\s+enough\s+(?:\w+\s+){{0,2}}{_INFO}"
    rf"|\b{_INFO}\s+(?:is|are)\s+(?:\w+ly\s+)?(?:missing|lacking|absent)\b"
    r"|\b(?:is|are|remains?)\s+(?:unknown|undisclosed|unavailable)\s*(?:$|[.,;])",
    re.I,
)
_DO_NOT = r"(?:do\s+not|don't|did\s+not|didn't|have\s+not|haven't)"
_UNABLE_EN = re.compile(
    rf"{_CANNOT}{_WORK_OUT}\b(?!\s+(?:any\s+)?assurance)"
    rf"|\b(?:I\s+{_DO_NOT}\s+(?:know|have|see|find|found|seen|locate)|we\s+{_DO_NOT}\s+"
    rf"(?:see\s+(?:any|a)|find|found|locate|have\s+(?:\w+\s+){{0,3}}?(?:{_INFO}|access)))\b"
    r"|\b(?:I'm|I\s+am)\s+sorry\b|^\W*sorry\b|\bI\s+apologi[sz]e\b|\bas\s+an\s+AI\b"
    r"|\b(?:we|you|I)(?:(?:'d|\s+would)\s+(?:still\s+)?need\s+(?:to\s+find|the)"
    r"|(?:'d|\s+would)?\s+(?:still\s+)?need\s+(?:to\s+(?:know|have|look|refer)|more|additional"
    r"|access))\b|\bI\s+need\s+the\b"
    r"|\b(?:could|can|would)\s+you\s+(?:please\s+)?(?:provide|share|supply|upload)\b"
    r"|^\W*please\s+(?:provide|share|supply|upload)\b",
    re.I,
)
_CONCLUDES_EN = re.compile(
    rf"{_CANNOT}(?:calculat|determin|answer|provid|comput|give|deriv|ascertain)\w*"
    r"|\bwould\s+(?:still\s+)?need\b|\bif\s+you\s+(?:can|could)\s+provide\b",
    re.I,
)

_GIVEN = r"(?:资料|材料|上下文|片段|文档|文中|原文|文本|内容|段落|信息|数据)"
_FILING = r"(?:文件|报告(?!期)|年报|季报|财报|公告|文章)"
_MATERIAL = rf"(?:{_GIVEN}|{_FILING})"
# between the material and its verb no other subject; an event that a whole filing leaves out did
# not take place, which is an answer
_GAP = r"(?:(?!公司|集团|股东|期内)[^。;!?,\n])"
_NO_EVENT = (
    r"(?!的)(?![^。;!?,\n]{0,40}(?:[情状]况|情形|事项|事件|行为|问题|处罚|诉讼|仲裁|风险|违规))"
)
_INFO_ZH = (
    r"(?:信息|资料|数据|内容|依据|材料|证据|答案|说明|记录|记载|结果|数值|数字|描述|明细|披露)"
)
_NEG = r"(?:未能?|没能?|没有|无)"
# an organisation that cannot do its business says nothing of the material
_NOT_ORG = r"(?<![司团师所户东层门构者院会方])"
_FREE = r"[^。;!?,\n]"
_END = r"(?=\s*(?:$|[。;!?,.\"*)\n]))"
_SAY = (
    r"(?:[看见提讲谈]到|提及|谈及|述及|覆盖|涵盖|显示|描述|提供|披露|包含|给出|列示|列出|列明|说明|载明|记载|出现|公布|公开(?!发行)|交代|反映|体现"
    r"|揭露)"
)
_HOW = r"(?:被|单独|明确|直接|具体|专门|进行|予以?|有|相关|任何|详细|能够?)"
# what is hard to tell in business is not the material's fault, so 难以 opens its clause
_MODAL = r"(?:无法|不能|(?:(?<=[,。;:故此以])|(?<=^))难以|难以(?=从|根据|依据)|没法|没办法|无从)"
_UNDONE = rf"(?:未能?|没有|并未|并没有|尚未|暂未)(?:在{_FREE}{{0,16}})?"
_SOLVE = (
    r"(?:回答|计算|得出|提供|确定|查询|得知|判断|确认|作答|给出|核实|算出|推算|推断|知晓|获知|找到"
    r"|答复|回复)"
)
_GET = rf"(?:获取|获得|得到|取得){_FREE}{{0,16}}?{_INFO_ZH}"
_BEFORE_SOLVE = (
    rf"(?:(?:从|根据|基于|依据|通过|就|对|按|利用|凭|在){_FREE}{{0,24}}?"
    rf"|(?:(?!的){_FREE}){{0,12}}?)"
)
# a rule for the case that something cannot be had: 无法确定的,按...处理
_NOT_IF = r"(?![^。;!?,\n]{0,24}(?:的\s*[,。;]|时\s*[,。]|的情况|的除外|的期限))"
_UNABLE_ZH = re.compile(
    rf"{_NOT_ORG}{_MODAL}{_BEFORE_SOLVE}(?:{_SOLVE}|{_GET}){_NOT_IF}"
    r"|^\W*(?:无法|不能)(?:确定|获取|回答|计算)"
    rf"{_NOT_IF}|看不出|看不到{_FREE}{{0,16}}?(?:数字|数据|信息|内容)|不得而知|无从得知|不知道|不清楚|查不到|找不到"
    r"|不足以(?:回答|计算|得出|判断|支持|支撑|确定|说明|推|作出|做出)"
    r"|超出[^。;!?\n]{0,12}(?:范围|能力)|^\W*(?:非常|很|十分)?(?:抱歉|对不起|遗憾)"
    rf"|请(?:您|你)?(?:再|先|进一步)?(?:提供|补充|上传)|需要?补充{_FREE}{{0,30}}(?:才能|方可|后)"
)
_UNSTATED_ZH = re.compile(
    # looked for and not found
    rf"{_NOT_ORG}(?:未能?|没有?|并未|尚未|暂未|没能|无法|不能){_FREE}{{0,8}}?"
    r"(?:查询|检索|查找|搜索|查|找|检测|定位|搜)(?:到|得)"
    rf"|没有发现{_FREE}{{0,40}}(?:信息|资料|数据)|查无|检索结果为空|(?:尚未|没有|未)(?:被)?收录"
    # the material does not suffice, or does not state it
    rf"|{_MATERIAL}(?:并|均|中|里|内|尚|并未)?(?:不足|不够|不充分)|(?<!、){_MATERIAL}[中里]?缺失(?!的)"
    r"|(?:资料|材料|上下文|片段|文档|文中|原文|文本|段落)[中里内]?[并均都也]?没有(?!泄|变|发生|调整|重述|问题|丢)"
    rf"|{_GIVEN}[中里]?(?:只有|仅有){_FREE}{{0,20}}?(?:内容|数据|信息|资料)"
    rf"|[与同]{_FREE}{{0,3}}(?:问题|提问){_FREE}{{0,3}}(?:无关|不相关|不符)|未见{_FREE}{{0,12}}?{_INFO_ZH}"
    rf"|{_NEG}在{_FREE}{{0,8}}?{_MATERIAL}{_FREE}{{0,4}}?(?:{_SAY}|找到)"
    rf"|{_GIVEN}(?:(?!公司|集团|股东|期内)[^。;!?\n]){{0,30}}?,[但也且并而]?{_NEG}{_HOW}{{0,2}}"
    rf"(?:{_SAY}|涉及){_NO_EVENT}"
    rf"|{_GIVEN}{_GAP}{{0,14}}?(?:{_NEG}|不){_HOW}{{0,3}}?{_SAY}(?!的)"
    rf"|{_FILING}{_GAP}{{0,14}}?(?:{_NEG}|不){_HOW}{{0,3}}?{_SAY}{_NO_EVENT}"
    rf"|{_MATERIAL}{_GAP}{{0,8}}?(?:没有?(?:说|写)|不(?:含|包含|包括))"
    rf"|{_MATERIAL}{_GAP}{{0,8}}?(?:{_NEG}|不)涉及(?:{_END}|{_FREE}{{0,20}}{_INFO_ZH}{_END})"
    rf"|{_NEG}{_HOW}{{0,2}}[看见提]到{_FREE}{{0,12}}(?:内容|信息|资料|数据|说明|披露)"
    rf"|{_MATERIAL}(?:中|里|内)?(?:并|均|都)?(?:没有|无){_FREE}{{0,20}}{_INFO_ZH}{_END}"
    # there is no such information
    rf"|(?:没有|缺乏|缺少)(?:足够|充分|相关|相应|直接|明确|有效|可用|必要|可以){_FREE}{{0,8}}"
    rf"{_INFO_ZH}(?!泄|情况)"
    rf"|{_NOT_ORG}(?:没有|缺乏|缺少)(?!因){_FREE}{{1,20}}的?(?:数据|信息|资料){_END}"
    rf"|暂无(?={_FREE}{{0,10}}{_INFO_ZH}|\s*(?:[。;!?,\n]|$))"
    # 未披露 and the like, whoever does not disclose; what a company does not provide is its affair
    rf"|(?<!因)(?<!因为)(?<!由于){_UNDONE}{_HOW}{{0,2}}"
    rf"(?:披露|提及|给出|列示|列出|说明|公布|公开(?!发行))(?!义务|要求){_NO_EVENT}"
    rf"|{_NOT_ORG}{_UNDONE}{_HOW}{{0,2}}(?:提供|包含)"
    rf"(?=[^。;!?,\n]{{0,16}}(?:信息|数据|资料|内容|明细)|\s*(?:$|[。;!?,\n])){_NO_EVENT}"
)
_CONCLUDES_ZH = re.compile(
    rf"{_NOT_ORG}(?:无法|不能|难以){_BEFORE_SOLVE}"
    rf"(?:回答|计算|得出|提供|确定|作答|给出|算出){_NOT_IF}"
)
# a placeholder that is all there is; "none" and 无 alone are answers
_PLACEHOLDER = re.compile(
    r"\W{0,9}(?:(?:the\s+)?answer\s*:|答案?\s*:)?\W{0,9}(?:n\s?/\s?a|not\s+applicable|unknown|unclear"
    r"|unavailable|undisclosed|no\s+answer|未知|不详|不明|不适用|暂无|(?:无|没有|暂无|查无|缺少|缺乏)"
    r"(?:相关|该项?|此项?|对应|可用)?的?(?:信息|数据|资料|内容|记录|答案))\W{0,9}|\s*[-–—―−]{1,3}\s*",
    re.I,
)
# no pattern above matches a text without one of these
_CUE = re.compile(
    r"not\b|n't|\bno\b|none|neither|nothing|un(?:able|clear|known|available|disclosed)|sorry|apolog"
    r"|need|please|you\b|insufficient|inadequate|lack|missing|absent|omitted|impossible|silent|\bAI\b"
    r"|[未没无不难缺暂查超请抱对看找需]|检索结果|只有|仅有|\bonly\b|different|another|遗憾",
    re.I,
)
_LATIN = re.compile(r"[a-z]{2}", re.I)
_LONGEST_PLACEHOLDER = 80


def unable(text: str) -> bool:
    """Whether the speaker of a folded sentence or clause says that it cannot answer."""
    return _found(text, _UNABLE_EN, _UNABLE_ZH)


def unstated(text: str) -> bool:
    """Whether a folded sentence or clause says that the material does not state it."""
    return _found(text, _UNSTATED_EN, _UNSTATED_ZH)


def concludes(text: str) -> bool:
    """Whether a folded sentence concludes that the asked figure cannot be had."""
    return _found(text, _CONCLUDES_EN, _CONCLUDES_ZH)


def _found(text: str, english: re.Pattern[str], chinese: re.Pattern[str]) -> bool:
    if not _CUE.search(text):
        return False
    if _LATIN.search(text) and english.search(text):
        return True
    return not text.isascii() and chinese.search(text) is not None


def is_placeholder(text: str) -> bool:
    """Whether a folded text is nothing but a mark for a value that is not there: N/A, 不详, -."""
    return len(text) <= _LONGEST_PLACEHOLDER and bool(_PLACEHOLDER.fullmatch(text))


def fold(text: str) -> str:
    """Return the text with straight quotes, half-width marks and simplified characters.

    Each character becomes one, so positions stay.
    """
    return text.translate(_FOLD)
