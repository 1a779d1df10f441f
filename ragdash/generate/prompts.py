"""The generation contract as a model is told it, in both languages, for both kinds of reply.

Each example reply stands on a line of its own and is checked against the schema in a test.
"""

# ruff: noqa: E501 - a line of a prompt is a sentence, and a break would be sent along
from __future__ import annotations

from ragdash.contract import REFUSAL_EN, REFUSAL_ZH
from ragdash.llm.base import Prompt
from ragdash.llm.fence import RULE

_CONTRACT = {
    "zh": f"""你根据财务报告的片段回答问题，遵守三条约定：
1. 只依据所给片段作答，不用你自己的知识。
2. 每个结论之后注明出处，写作 (公司·标签·P页码)，三者照抄该片段抬头“片段n|公司·标签·P页码”，例如 (甲公司·2023年报·P45)。
3. 片段不足以回答时，只回答这一句，不给任何数字：{REFUSAL_ZH}

数字和单位照抄片段（表头写明“单位：万元”的，带上万元），写明公司、指标和期间；同名指标注意口径（合并与母公司、归母与扣非、合计与分项）。需要计算时，先列出所用数字及其出处，再给结果。用中文，简短作答。

{RULE["zh"]}""",
    "en": f"""You answer questions from chunks of financial reports, under three rules:
1. Answer only from the chunks given, never from what you know.
2. After every conclusion cite its source as (company·label·Ppage), all three copied from the head of that chunk, "Chunk n|company·label·Ppage"; for example (Acme·FY2024 10-K·P45).
3. If the chunks do not suffice, answer with this sentence alone and give no figure: {REFUSAL_EN}

Copy figures and their units from the chunks (a table "in millions" is in millions), and name company, metric and period. Mind the scope of figures of one name: consolidated or parent, total or part, before or after adjustments. Where something must be computed, give the figures used with their sources, then the result. Answer in English, briefly.

{RULE["en"]}""",
}

_USER = {
    "zh": "标记：{mark}\n片段：\n{chunks}\n问题：\n{question}",
    "en": "MARK: {mark}\nChunks:\n{chunks}\nQuestion:\n{question}",
}

TEXT = Prompt(
    "answer.text",
    1,
    system={
        "zh": f"{_CONTRACT['zh']}\n\n直接回复答案本身，不加其他内容。",
        "en": f"{_CONTRACT['en']}\n\nReply with the answer itself and nothing else.",
    },
    user=_USER,
)

STRUCTURED = Prompt(
    "answer.structured",
    1,
    system={
        "zh": f"""{_CONTRACT["zh"]}

只回复一个 JSON 对象：
- status：answered 或 refused（依第 3 条）
- answer：答案全文，含出处；refused 时为上面那一句
- citations：所引片段的编号
- amounts：答案中的每个数字，value 照抄为文本，unit 为其单位，chunk 为它所在的片段编号

示例：
{{"status": "answered", "answer": "甲公司2023年营业收入为12.3亿元(甲公司·2023年报·P45)。", "citations": [1], "amounts": [{{"value": "12.3", "unit": "亿元", "chunk": 1}}]}}
{{"status": "refused", "answer": "{REFUSAL_ZH}", "citations": [], "amounts": []}}""",
        "en": f"""{_CONTRACT["en"]}

Reply with one JSON object only:
- status: answered, or refused (rule 3)
- answer: the whole answer with its citations; the sentence above where refused
- citations: the numbers of the chunks cited
- amounts: each figure of the answer, value as text as it is written, unit, and chunk, the number of the chunk it stands in

Examples:
{{"status": "answered", "answer": "Acme's revenue in fiscal 2024 was $12.3 million (Acme·FY2024 10-K·P45).", "citations": [1], "amounts": [{{"value": "12.3", "unit": "$ million", "chunk": 1}}]}}
{{"status": "refused", "answer": "{REFUSAL_EN}", "citations": [], "amounts": []}}""",
    },
    user=_USER,
)

# Every word that decides what a generator says; for the identity of a run.
PROMPTS = (TEXT, STRUCTURED)
