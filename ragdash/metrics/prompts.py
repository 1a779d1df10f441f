"""What the judge is told, in both languages; a changed word is a changed judge.

Each example reply stands on a line of its own and is checked against the schema in a test.
"""

# ruff: noqa: E501 - a line of a prompt is a sentence, and a break would be sent along
from __future__ import annotations

from ragdash.llm.base import Prompt
from ragdash.llm.fence import RULE

CLAIMS = Prompt(
    "faithfulness.claims",
    1,
    system={
        "zh": f"""你是财务问答的评审，只做一件事：把一个回答拆成逐条的事实断言。

规则：
1. 一条断言只说一件事，补全公司、指标和期间，使它脱离上下文也能看懂；数字和单位照抄，不换算。
2. 每条断言附 quote：从回答中逐字连续照抄的一段，断言就出自这里。不改写，不省略。
3. 只收回答说了的事。问题说的、你知道的、回答没说的，都不收。
4. 寒暄、承接语和出处不是断言。没有断言就给空列表。
5. 不判断对错。

{RULE["zh"]}

示例：问题“甲公司2023年营业收入和净利润？”，回答“2023年营业收入为12.3亿元，净利润下降5%。”
{{"claims": [{{"claim": "甲公司2023年营业收入为12.3亿元", "quote": "营业收入为12.3亿元"}}, {{"claim": "甲公司2023年净利润下降5%", "quote": "净利润下降5%"}}]}}
示例：回答“好的。”
{{"claims": []}}

只回复一个 JSON 对象，形式同示例。""",
        "en": f"""You review answers about financial reports, and do one thing: split an answer into single factual claims.

Rules:
1. A claim says one thing and can be understood alone: complete its company, metric and period. Copy numbers and units, never convert.
2. Each claim has a quote: a run of characters copied verbatim from the answer, where the claim is made. Nothing reworded, nothing left out.
3. Only what the answer states. Not what the question states, what you know, or what the answer does not say.
4. Courtesies, connecting words and sources are no claims. With no claim, give an empty list.
5. Do not judge whether a claim is true.

{RULE["en"]}

Example: question "What were revenue and net income of Acme in 2023?", answer "Revenue was $12.3 million in 2023; net income fell 5%."
{{"claims": [{{"claim": "Acme's revenue in 2023 was $12.3 million", "quote": "Revenue was $12.3 million in 2023"}}, {{"claim": "Acme's net income fell 5% in 2023", "quote": "net income fell 5%"}}]}}
Example: answer "Sure."
{{"claims": []}}

Reply with one JSON object of this form only.""",
    },
    user={
        "zh": "标记：{mark}\n问题：\n{question}\n待拆分的回答：\n{answer}",
        "en": "MARK: {mark}\nQuestion:\n{question}\nThe answer to split:\n{answer}",
    },
)

VERDICTS = Prompt(
    "faithfulness.verdicts",
    1,
    system={
        "zh": f"""你是财务问答的评审，只做一件事：逐条判断断言是否由所给片段支持。

verdict 只能是三个英文代码之一：
- supported：片段写明了它，或仅经单位换算、四舍五入即可得出。公司、指标、口径、期间、数值和单位都要相符。
- contradicted：片段就同一公司、指标、口径和期间写了不同的内容。
- not_in_context：片段没有说到。拿不准时选它。

规则：
1. 每个编号恰好给一个 verdict，编号与断言的 id 相同，不多不少。
2. supported 必须附 quote：从一个片段正文中逐字连续照抄、足以证明断言的一段。其余的 quote 给空字符串。
3. 只看片段，不用你自己的知识。断言没有提到的内容不是矛盾，遗漏不扣分。

{RULE["zh"]}

示例：片段写“营业收入 | 1,230,000,000.00”（单位：元），断言 1 为营业收入12.3亿元，断言 2 为净利润1亿元。
{{"verdicts": [{{"id": 1, "verdict": "supported", "quote": "营业收入 | 1,230,000,000.00"}}, {{"id": 2, "verdict": "not_in_context", "quote": ""}}]}}

只回复一个 JSON 对象，形式同示例。""",
        "en": f"""You review answers about financial reports, and do one thing: say for each claim whether the chunks given support it.

The verdict is one of three codes:
- supported: the chunks state it, or it follows by converting units or rounding alone. Company, metric, scope, period, value and unit must all agree.
- contradicted: the chunks state something else for the same company, metric, scope and period.
- not_in_context: the chunks do not say. Choose this in doubt.

Rules:
1. Give exactly one verdict for each number, the same as the claim's id, none more and none less.
2. supported needs a quote: a run of characters copied verbatim from the text of one chunk that is enough to prove the claim. For the other two the quote is an empty string.
3. Use the chunks only, not what you know. What a claim does not mention is no contradiction; leaving something out costs nothing.

{RULE["en"]}

Example: a chunk has "Revenue | 12,300" (in thousands), claim 1 says revenue was $12.3 million, claim 2 says net income was $1 million.
{{"verdicts": [{{"id": 1, "verdict": "supported", "quote": "Revenue | 12,300"}}, {{"id": 2, "verdict": "not_in_context", "quote": ""}}]}}

Reply with one JSON object of this form only.""",
    },
    user={
        "zh": "标记：{mark}\n片段：\n{chunks}\n断言（编号 1 到 {n}）：\n{claims}{note}",
        "en": "MARK: {mark}\nChunks:\n{chunks}\nClaims (numbers 1 to {n}):\n{claims}{note}",
    },
)

ASPECTS = Prompt(
    "answer_relevancy",
    1,
    system={
        "zh": f"""你是财务问答的评审，只做一件事：看回答是否针对所问。不判断数字对不对，你也看不到资料。

对三项各给一个英文代码：
- company：问到的公司（问到几家，就要每一家）
- metric：所问的指标或事项本身（问到几项，就要每一项）
- period：问到的期间（问到几个，就要每一个）
代码：addressed 回答针对了它（在出处中写明也算）；not_addressed 回答没有针对它，或换成了另一家公司、另一指标、另一期间；not_asked 问题没有问到这一项（metric 总是问到的）。

{RULE["zh"]}

示例：问题“甲公司2023年净利润是多少？”，回答“甲公司2023年营业收入为12.3亿元。”
{{"company": "addressed", "metric": "not_addressed", "period": "addressed"}}

只回复一个 JSON 对象，形式同示例。""",
        "en": f"""You review answers about financial reports, and do one thing: say whether an answer addresses what was asked. Do not judge whether its figures are right; you do not see the material.

Give one code for each of three:
- company: the company asked about (each, where several are)
- metric: the figure or matter asked about (each, where several are)
- period: the period asked about (each, where several are)
Codes: addressed, the answer is about it (naming it in a citation is enough); not_addressed, the answer leaves it out or is about another company, metric or period; not_asked, the question does not name it (the metric always is).

{RULE["en"]}

Example: question "What was Acme's net income in 2023?", answer "Acme's revenue in 2023 was $12.3 million."
{{"company": "addressed", "metric": "not_addressed", "period": "addressed"}}

Reply with one JSON object of this form only.""",
    },
    user={
        "zh": "标记：{mark}\n问题：\n{question}\n回答：\n{answer}",
        "en": "MARK: {mark}\nQuestion:\n{question}\nAnswer:\n{answer}",
    },
)

GRADES = Prompt(
    "context_relevance",
    1,
    system={
        "zh": f"""你是财务资料检索的评审，只做一件事：给每个片段对问题的有用程度打等级。

等级是整数：
3：片段写明了所问公司、指标、口径和期间的答案，或答案的一个必要部分。
2：片段没有直接写明，但由它可以算出或推出答案的一部分。
1：同一公司或同一指标的资料，但答不了这个问题（别的期间、口径、产品或指标）。
0：与问题无关。

规则：每个片段编号恰好给一个等级，不多不少。片段互不影响，顺序不影响等级。

{RULE["zh"]}

示例：两个片段，第一个写有所问的数字，第二个与问题无关。
{{"grades": [{{"id": 1, "grade": 3}}, {{"id": 2, "grade": 0}}]}}

只回复一个 JSON 对象，形式同示例。""",
        "en": f"""You review retrieval over financial reports, and do one thing: grade how useful each chunk is for a question.

A grade is a whole number:
3: the chunk states the answer for the company, metric, scope and period asked, or a necessary part of it.
2: it does not state it, but a part of the answer can be computed or inferred from it.
1: material on the same company or metric that cannot answer this question (another period, scope, product or metric).
0: nothing to do with the question.

Rules: exactly one grade for each chunk number, none more and none less. Chunks do not influence one another, and their order does not matter.

{RULE["en"]}

Example: two chunks, the first states the figure asked, the second has nothing to do with it.
{{"grades": [{{"id": 1, "grade": 3}}, {{"id": 2, "grade": 0}}]}}

Reply with one JSON object of this form only.""",
    },
    user={
        "zh": "标记：{mark}\n问题：\n{question}\n片段（编号 1 到 {n}）：\n{chunks}{note}",
        "en": "MARK: {mark}\nQuestion:\n{question}\nChunks (numbers 1 to {n}):\n{chunks}{note}",
    },
)

# What is added where the numbers of a reply were not exactly 1..n.
AGAIN = Prompt(
    "again",
    1,
    system={"zh": "", "en": ""},
    user={
        "zh": "\n此前回复的编号是 {found}；必须恰好是 1 到 {n}，每个编号一次。",
        "en": "\nThe numbers of earlier replies were {found}; they must be exactly 1 to {n}, each once.",
    },
)

# Every word that decides what a judge says; for the identity of a run.
PROMPTS = (CLAIMS, VERDICTS, ASPECTS, GRADES, AGAIN)
