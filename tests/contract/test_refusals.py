"""Everyday wordings of chat models: what declines, what answers, what does both."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.contract import REFUSAL_EN, REFUSAL_ZH, read_refusal, status_of
from ragdash.core.answer import AnswerStatus

if TYPE_CHECKING:
    from collections.abc import Callable

DECLINES_EN = [
    "I couldn't find this information in the excerpts you provided.",
    "I was not able to locate the dividend per share in the documents.",
    "The excerpts don't mention the number of employees.",
    "There's no information on this in the provided filing.",
    "There is no mention of goodwill impairment for FY2022 in the given context.",
    "Insufficient data.",
    "Insufficient information to answer the question.",
    "N/A",
    "n/a.",
    "Not available",
    "Not disclosed.",
    "None of the provided excerpts discuss capital expenditure.",
    "None of the chunks contain segment revenue for 2023.",
    "The answer is not in the provided text.",
    "Unfortunately, the provided excerpts only cover fiscal 2021, so I can't answer for 2022.",
    "Sorry, I don't have access to Apple's 2023 10-K.",
    "I'm afraid the documents do not say.",
    "Based on the provided context, it is not possible to determine the gross margin.",
    "Based on the excerpts, the quick ratio cannot be calculated.",
    "The context you've shared doesn't include a balance sheet.",
    "This question can't be answered from the filings supplied.",
    "The requested figure does not appear in the provided pages.",
    "The 10-K excerpt stops before the cash flow statement, so free cash flow is unknown.",
    "I would need the full cash flow statement to compute this.",
    "To answer this, I'd need the balance sheet, which isn't among the excerpts.",
    "Could you please provide the relevant section of the filing?",
    "Please share the income statement so that I can compute the margin.",
    "It is unclear from the excerpts what the R&D expense was.",
    "The filing is silent on headcount by region.",
    "The excerpts only give 2021 revenue of $5m, so 2022 cannot be determined.",
    "While the excerpts show revenue of $12.4 billion, they do not give the segment split, so the "
    "share of cloud cannot be computed.",
    "The documents mention net income of $120 million for 2020 but nothing for 2022.",
    "You ask whether revenue reached $391 billion; the excerpts do not say.",
    "**Not found in the provided filings.**",
    '"Not found in the provided filings"',
    "not  found in the\nprovided filings",
    "Not found in the provided filings. The excerpts cover FY2021 only.",
    "Answer: Not found in the provided filings",
    "No relevant information was found in the retrieved passages.",
    "No data available for the 2019 fiscal year.",
    "No such figure is given in the excerpts.",
    "I do not know.",
    "I don't know the answer to that.",
    "Unknown.",
    "Cannot be determined.",
    "Cannot determine from the given information.",
    "Unable to answer based on the provided context.",
    "As of my last update in April 2023, I don't have the 2024 figures.",
    "As an AI language model, I have no access to real-time filings.",
    "I don't see any reference to share repurchases in these pages.",
    "The provided information is not sufficient to calculate DPO.",
    "The text provided lacks the details required to work out inventory turnover.",
    "Neither document contains the FY2022 inventory balance.",
    "Regrettably, the operating cash flow isn't listed in the supplied material.",
    "The documents are insufficient for answering this question.",
    "The excerpt does not break out revenue by geography.",
    "The specific figure for 2022 isn't provided, so I can't compute the change.",
    "The report's revenue for 2023 was not among the passages retrieved.",
    "We can't tell from the passages whether the company paid a dividend.",
    "There isn't enough context to answer.",
    "The excerpts you gave me make no reference to interest expense.",
    "Sorry, but I can't help with that based on these excerpts.",
    "This information is missing from the provided filings.",
    "Not stated in the excerpts.",
    "The company's effective tax rate could not be found in the text.",
    "The answer cannot be found in the context (Apple·FY2024 10-K·P45).",
    "The filings provided are for Microsoft, not Apple, so no answer can be given.",
    "It is not specified.",
    "The context doesn’t provide the information needed to answer the question.",
    "I couldn’t find any figure for 2022.",
    "I looked through the excerpts and there is nothing on dividend policy.",
    "The passages supplied don't cover the fourth quarter.",
    "Regarding inventory turnover: the necessary figures aren't in the extracts.",
    "That detail isn't available in the material I was given.",
    "I'm unable to answer this with the filings at hand.",
    "No answer can be derived from these pages.",
    "The retrieved chunks only discuss risk factors and contain nothing about revenue.",
    "Sorry — the documents you uploaded don't include a cash flow statement.",
    "There is insufficient context to determine the effective tax rate.",
    "I can only see the 2021 report, which does not have 2023 data.",
    "Your question asks for FY2023, but only FY2021 is covered by the excerpts.",
    "The data needed to calculate ROA is not provided.",
    "FY2022 capital expenditures: not disclosed in the excerpts.",
    "It's not possible to say from the information available.",
    "I wasn't able to find a figure for goodwill.",
    "The excerpt ends before the relevant table, so I can't give you the number.",
    "The filing excerpt doesn't state whether the debt was refinanced.",
    "Without the balance sheet, the current ratio can't be computed.",
    "This can't be answered based on the context.",
    "The company's headcount is not mentioned anywhere in the provided text.",
    "I have no information about this company's 2025 results.",
    "Unfortunately this isn't something the provided context covers.",
    "Answer: Insufficient information.",
    "The context given is about a different company.",
    "I would need more information to answer.",
    "Those numbers were not part of the retrieved evidence.",
    "Nothing in the excerpts indicates how many stores were closed.",
    "The quick ratio is not determinable from the given data.",
    "The answer isn't stated in the passages.",
    "Not enough information is given.",
]

ANSWERS_EN = [
    "The company did not report any impairment.",
    "No dividends were declared in 2023.",
    "No, the company does not have any debt securities registered on a national exchange.",
    "Apple did not disclose any material weaknesses; its controls were effective.",
    "There were no related-party transactions.",
    "There is no goodwill on the balance sheet.",
    "Not material.",
    "Yes.",
    "No.",
    "None.",
    "Zero.",
    "$0",
    "The company has no preferred stock outstanding.",
    "Net sales were $391,035 million (Apple·FY2024 10-K·P23).",
    "Gross margin cannot be compared with peers, but it was 46.2% in FY2024.",
    "Revenue rose 12% to $5.2 billion. The filing does not explain the increase further.",
    "Operating income was $1.2 billion; a breakdown by region is not provided.",
    "The quick ratio is 0.97. Figures for 2021 were not available in the excerpts.",
    "The company is unable to predict the outcome of the litigation.",
    "Management could not determine the effect of the new standard at year end.",
    "The company cannot assure that it will pay dividends in the future.",
    "Boeing is not able to estimate the range of reasonably possible losses.",
    "The auditor did not identify any critical audit matters.",
    "The main risk factors are supply shortages, missing data in legacy systems and cyber attacks.",
    "The company lacks data centres in Asia.",
    "It had 164,000 employees; part-time staff are not included.",
    "Yes, the company reported negative working capital, which could not be financed internally.",
    "The acquisition was not completed in 2023.",
    "3M does not report operating margin as a separate line; computed it is 12.4%.",
    "No customer accounted for more than 10% of revenue.",
    "The company has not provided guidance for 2025.",
    "The drivers were higher volumes and lower input costs; the filing does not quantify them.",
    "Inventory turnover is not a meaningful metric for American Express because it is a bank.",
    "Days payable outstanding is not relevant here since the company holds no inventory.",
    "Amcor is a packaging company and operates in two segments: Flexibles and Rigid Packaging.",
    "The CFO resigned in March 2023.",
    "The company does not provide services to retail customers.",
    "The company provides data, information and analytics; nothing in its segment mix changed.",
    "Information security incidents were not reported in 2023.",
    "The dividend was not increased in 2023; it stayed at $0.24 per share.",
    "The 10-K states that the company did not repurchase shares in the fourth quarter.",
    "According to the filing, the company has no outstanding borrowings under its revolver.",
    "Total debt was not available for early repayment.",
    "The report mentions that cash was not available for general corporate purposes.",
    "The largest segment is Cloud, with 43% of revenue.",
    "Net loss attributable to shareholders was (1,234) thousand dollars.",
    "The provision is not disclosed separately but is part of other liabilities of $310 million.",
    "The tax rate was 21.5%; I could not find the rate for 2020.",
    "Revenue: $3.1bn. Cost of sales: not disclosed.",
    "FY2022 capex was $1,577 million, taken from the cash flow statement.",
    "The company said it had insufficient data to estimate demand and withdrew its guidance.",
    "The decline in gross margin was caused by a lack of components.",
    "The board did not approve a dividend.",
    "It operates in 12 countries and has no operations in Russia.",
    "The lease liabilities cannot be prepaid.",
    "The plaintiffs could not provide evidence, and the case was dismissed.",
    "Yes, there is evidence that the margin improved: it rose from 40.1% to 42.3%.",
    "The company's products are not available in China.",
    "The segment was not reported separately before 2022.",
    "The standard does not require disclosure of the fair value, which is why none is shown.",
    "Based on the data provided, the ratio is 1.25.",
    "Based on the information given, the company is not capital intensive.",
    "The increase cannot be attributed to a single factor; volume, price and mix all contributed.",
    "The agreement lists what data may be shared, and personal information may not.",
    "The company did not pay dividends.",
    "No. The company does not operate in Russia.",
    "The company had no debt outstanding.",
    "There was no change in accounting policies.",
    "It has not adopted the new standard yet.",
    "Apple does not disclose unit sales; iPhone revenue was $201 billion.",
    "The increase was not material.",
    "Costco does not provide segment margins, but total operating margin was 3.5%.",
    "The firm could not meet demand due to supply constraints.",
    "Management does not expect any further impairment.",
    "The company is not able to pass on higher costs to customers.",
    "No single customer represented over 10% of sales.",
    "The lawsuit has not been resolved.",
    "The loan is not secured.",
    "Not significant: foreign exchange had no impact on results.",
    "The board has not announced a buyback.",
    "Cash is not restricted.",
    "Neither segment reported a loss.",
    "None of the directors stood down.",
    "The acquisition is not expected to close before 2025.",
    "The product was not included in the 2023 lineup because of delays.",
    "Employees are not covered by collective bargaining agreements.",
    "Boeing's main customers are airlines; government customers were not affected.",
    "The dividend cannot exceed retained earnings.",
    "The answer is no: margins fell in both years.",
    "The company states that it lacks the scale of its rivals.",
    "Goodwill is not amortised but tested annually.",
    "Net income was $3.2 billion. No adjustments were made.",
    "Its debt covenants do not include a leverage test.",
]

DECLINES_ZH = [
    "根据提供的资料，无法确定该公司2022年的研发投入。",
    "根据所给资料，无法回答该问题。",
    "抱歉，我无法从提供的文档中找到相关信息。",
    "抱歉，所提供的片段中没有涉及分红政策的内容。",
    "很抱歉，目前没有该公司的数据。",
    "资料中未提及该指标。",
    "未披露",
    "未披露。",
    "暂无",
    "暂无数据",
    "无相关信息",
    "无相关数据。",
    "没有相关资料",
    "信息不足，无法判断。",
    "数据不足",
    "不知道",
    "我不知道。",
    "未知",
    "未找到。",
    "未检索到相关内容。",
    "未在所给资料中检索到",
    "未在所给资料中检索到。",
    "**未在所给资料中检索到**",
    "“未在所给资料中检索到”",
    "未在所给资料中\n检索到",
    "答：未在所给资料中检索到。",
    "该问题的答案未在所给资料中检索到，资料仅涉及2021年。",
    "所给片段未包含2023年现金流量表，因此无法计算自由现金流。",
    "所提供的年报片段只列出了2021年营业收入5.2亿元，未列出2022年，故无法确定。",
    "材料只给出了2020年净利润为1.2亿元，没有2022年的数据。",
    "问题中提到的营业收入是否达到100亿元，资料中没有说明。",
    "从现有资料看不出该公司是否分红。",
    "现有信息不足以回答这个问题。",
    "提供的资料不足以计算存货周转率。",
    "文档里没有这家公司的信息。",
    "这些片段里并没有毛利率的数据。",
    "我没有找到关于该公司员工人数的信息。",
    "我在上述资料中没有看到研发费用。",
    "上下文没有给出2022年的每股收益。",
    "该信息在所给年报中未予披露。",
    "年报中没有披露海外收入的占比。",
    "报告未单独列示该项目，无法得出准确数字。",
    "需要补充2022年的资产负债表才能计算。",
    "请提供更多资料，以便我回答您的问题。",
    "请您补充该公司的利润表。",
    "由于缺少2021年的存货数据，无法计算周转天数。",
    "由于资料缺失，暂时不能给出答案。",
    "目前的材料没法支持得出结论。",
    "这个问题超出了所给资料的范围。",
    "作为一个AI语言模型，我无法获取实时的财报数据。",
    "查无此公司的年报。",
    "查无相关数据",
    "检索结果为空，没有可用于回答的内容。",
    "没有检索到与“商誉减值”有关的段落。",
    "所给内容与问题无关，无法作答。",
    "提供的资料是万科的年报，不是茅台的，因此无法回答。",
    "无从得知。",
    "不详",
    "N/A",
    "不清楚，资料没写。",
    "资料没有说。",
    "片段1至片段5均未出现该数据。",
    "五个片段都没有提到应收账款周转率。",
    "上述片段均不包含2023年的分部收入。",
    "所提供的資料未提及該公司的研發費用。",
    "抱歉，無法根據所給資料回答此問題。",
    "資料不足，無法計算。",
    "对不起，我没有查到贵州茅台2025年的营业收入。",
    "该公司2025年年报尚未收录，无法提供其净利润。",
    "无法获取。",
    "无法确定",
    "无法得出结论。",
    "给定的信息中不含该公司的现金分红数据。",
    "在给定的文本中找不到答案。",
    "资料未明确说明销售费用率。",
    "原文并未给出该比例，也没有可以推算的数据。",
    "关于该公司的市盈率，提供的年报里没有涉及。",
    "未能在报告中定位到该数据。",
    "此项内容没有公开。",
    "难以从片段中判断毛利率的变化原因。",
    "暂时无法回答，因为只有2021年年报（贵州茅台·2021年报·P5）。",
    "该数据缺失。",
    "我在文档中没有找到任何有关股利的描述。",
    "提供的几段内容都没讲到研发费用。",
    "目前掌握的资料里看不到2023年的数字。",
    "资料有限，无法给出确切的答案。",
    "该指标在片段中没有列出。",
    "年报节选不含现金流量表，算不出自由现金流。",
    "很遗憾，现有材料没有覆盖这一年度。",
    "没有足够的信息来判断毛利率是否提高。",
    "问题涉及2024年，而所给片段只有2022年的内容。",
    "缺乏2021年期初存货余额，周转率无法得出。",
    "这部分内容在给定文本中缺失。",
    "给定材料并未谈及该诉讼的进展。",
    "我无法确认公司是否分红。",
    "抱歉，暂时没有这方面的资料。",
    "上述内容不足以得出结论。",
    "检索到的段落均与该问题无关。",
    "没有查到。",
    "暂未找到相关披露。",
    "未见相关数据。",
    "报告里查不到这个数字。",
    "文中没有相关描述。",
    "该数据未在年报节选中体现。",
    "没法回答，资料里没有利润表。",
    "所给上下文仅包含董事会名单，未涉及营业收入。",
    "无法从上下文得知。",
    "资料未载明。",
    "现有片段未能提供每股收益。",
    "本题无法作答。",
    "原文没有提供该公司的员工人数。",
    "不能根据现有信息判断。",
]

ANSWERS_ZH = [
    "该公司未派发股息。",
    "没有关联交易。",
    "公司2023年未进行现金分红。",
    "公司不存在控股股东非经营性占用资金。",
    "公司没有优先股。",
    "报告期内公司未计提商誉减值。",
    "无。",
    "没有。",
    "否。",
    "是",
    "零",
    "0元",
    "不存在。",
    "公司无重大诉讼、仲裁事项。",
    "公司未披露业绩预告，但营业收入为12.3亿元。",
    "2023年营业收入为1,476.94亿元（贵州茅台·2023年报·P5）。",
    "毛利率为91.96%，分产品数据未披露。",
    "净利润为747.34亿元。资料中未提供上年同期数。",
    "研发费用1.57亿元，资料未说明资本化比例。",
    "公司没有境外资产，数据安全由信息部负责。",
    "公司无法控制原材料价格波动，因此面临成本上升的风险。",
    "公司不能保证未来继续分红。",
    "公司可能无法按期收回应收账款，存在坏账风险。",
    "因疫情影响，公司部分项目无法按期交付。",
    "公司未能按时披露年报，被出具警示函。",
    "公司因未披露关联交易被证监会处罚。",
    "公司信息披露不存在虚假记载、误导性陈述或重大遗漏。",
    "公司未提供对外担保。",
    "公司没有提供违规担保。",
    "内部控制评价未发现重大缺陷。",
    "审计师未发现财务报告内部控制存在重大缺陷。",
    "公司核心技术人员未发生变化。",
    "公司没有足够的产能满足订单，计划扩建。",
    "公司缺乏高端人才，研发能力有待提升。",
    "公司主要从事白酒生产和销售，未涉及房地产业务。",
    "公司2022年没有实施股份回购。",
    "公司不适用环境信息披露要求。",
    "募集资金未使用完毕，结余2.3亿元。",
    "应收账款前五名合计占比35.2%，未单独列示客户名称。",
    "公司员工总数为31,413人，其中未包含劳务派遣人员。",
    "公司所属行业竞争激烈，数据要素不足是行业共性问题。",
    "现有资料显示公司2023年净利润下降12.5%。",
    "根据所给资料，公司2023年资产负债率为45.6%，流动比率未给出。",
    "经营活动产生的现金流量净额为-3.2亿元，无法覆盖投资支出。",
    "该比率为1.25，无法与同行比较。",
    "公司未达到业绩承诺，补偿金额为5,000万元。",
    "上市公司未来三年暂无再融资计划。",
    "公司尚未收到终审判决。",
    "公司未被列入失信被执行人名单。",
    "公司无法表示意见的审计报告已由会计师出具。",
    "会计师事务所出具了无法表示意见的审计报告。",
    "公司没有披露义务，因为该子公司已注销。",
    "公司在报告期内没有发生重大资产重组。",
    "公司的主要风险包括：信息系统不足、数据缺失、人才流失。",
    "公司未对外提供财务资助。",
    "本期未确认递延所得税资产的可抵扣亏损为1.2亿元。",
    "公司不属于重点排污单位，未披露环境信息。",
    "公司董事会未提出现金分红预案。",
    "公司本年度沒有派息。",
    "截至2023年末，公司無銀行借款。",
    "净利润同比增长，主要由于毛利率提升，而非非经常性损益。",
    "公司2023年不计提存货跌价准备。",
    "第一大股东为贵州茅台集团，持股比例54.07%，无质押。",
    "资产负债表日后事项：无。",
    "公司没有因信息泄露受到处罚。",
    "公司未分配利润为正。",
    "公司没有境外业务。",
    "本年度不进行利润分配。",
    "公司未发生会计政策变更。",
    "公司未计提减值。",
    "公司没有控股股东。",
    "公司不存在违规担保。",
    "该公司没有银行借款。",
    "公司尚未开展套期保值业务。",
    "公司未收到监管处罚。",
    "2023年公司没有新增商誉。",
    "公司未设立独立的审计委员会。",
    "公司目前无力偿还到期债务。",
    "因产能不足，公司未能满足全部订单。",
    "公司未完成业绩承诺。",
    "报告期内不存在重大缺陷。",
    "未发生。",
    "不适用，公司为盈利企业。",
    "公司未参与房地产开发。",
    "该事项对公司利润没有影响。",
    "公司难以在短期内降低成本。",
    "未来汇率走势难以判断，公司可能面临汇兑损失。",
    "公司高管未持有公司股份。",
    "公司未披露分产品毛利率，综合毛利率为35.2%。",
    "公司存货未发生跌价。",
    "公司没有提供财务资助。",
    "公司信息系统未发生中断。",
    "毛利率下降，原因是原材料涨价。",
    "公司数据中心业务尚未盈利。",
    "公司没有聘任新的会计师事务所。",
]

PARTS = [
    "The excerpts only give 2021 revenue of $5 million. The figure for 2022 cannot be determined.",
    "You ask whether net income was $12.3 billion in 2022. The excerpts do not say.",
    "I cannot confirm that revenue was $391 billion, as no income statement was provided.",
    "The excerpts do not give 2022 revenue, 2021 revenue was $5 million.",
    "Current assets were $500 million. Without current liabilities the ratio cannot be computed.",
    "Page 45 of the 2023 report does not give it, nor do the 12 excerpts.",
    "ROA = net income / total assets * 100%. The excerpts do not contain total assets.",
    "片段只给出2021年营业收入5亿元，2022年的无法确定。",
    "您问的是净利润是否为12.3亿元，资料中没有说明。",
    "无法确认营业收入为100亿元，所给资料没有利润表。",
    "资料未给出2022年营业收入，2021年为5亿元。",
    "Current assets were $500 million, but liabilities are not given, so it cannot be computed.",
    "流动资产为5亿元，但资料没有流动负债，无法计算流动比率。",
    "2023年年报第45页未列出，12个片段也都没有提到。",
    "计算公式为净利润/总资产*100%，但所给资料没有总资产数据。",
]

BOTH = [
    "公司未披露分产品毛利率，未在所给资料中检索到；综合毛利率为35.2%。",
    "未在所给资料中检索到。据我所知，2023年营业收入为1,476.94亿元。",
    "未在所给资料中检索到，不过净利润约为747亿元。",
    "**未在所给资料中检索到**\n\n参考值：净利润747.34亿元",
    "Not found in the provided filings. From general knowledge, revenue was about $391 billion.",
    "**Not found in the provided filings**, but FY2024 net sales were $391,035 million.",
    "Not found in the provided filings; my estimate is 46.2%.",
    "I can't find it in the excerpts, however it was $5.2 billion.",
    "资料中未直接给出毛利率，但可计算：毛利率为45.3%。",
    "抱歉，资料没有直接披露该数据，按营业收入和成本推算，毛利率为45.3%。",
    "The ratio is not stated directly. It can be computed from the balance sheet: 1.25.",
]


@pytest.mark.parametrize("text", [*DECLINES_EN, *DECLINES_ZH])
def test_a_model_that_declines_is_refused(text: str) -> None:
    read = read_refusal(text)
    assert (read.is_refusal, read.refusal_with_answer) == (True, False)


@pytest.mark.parametrize("text", [*ANSWERS_EN, *ANSWERS_ZH])
def test_a_model_that_answers_is_not_refused(text: str) -> None:
    assert not read_refusal(text).is_refusal


@pytest.mark.parametrize("text", BOTH)
def test_a_model_that_declines_and_gives_the_figure_answers(text: str) -> None:
    read = read_refusal(text)
    assert (read.is_refusal, read.refusal_with_answer) == (False, True)


@pytest.mark.parametrize("text", PARTS)
def test_a_figure_that_is_echoed_or_of_another_thing_is_no_answer(text: str) -> None:
    read = read_refusal(text)
    assert (read.is_refusal, read.refusal_with_answer) == (True, False)


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


@given(
    st.sampled_from([REFUSAL_ZH, REFUSAL_EN]),
    st.sampled_from([str, str.upper, str.lower, str.title, full_width]),
    st.sampled_from(
        ["{}", "**{}**", "_{}_", '"{}"', "“{}”", "「{}」", "> {}", "<b>{}</b>", "`{}`"]
    ),
    st.sampled_from(["", "Answer: ", "答：", "The excerpts cover 2021.\n\n", "片段仅涉及2021年。"]),
    st.sampled_from(
        ["", ".", "。", "！", " \n", "（贵州茅台·2023年报·P5）", " (Apple·FY2024 10-K·P4)"]
    ),
)
def test_the_fixed_sentence_is_seen_however_it_is_set(
    fixed: str, letters: Callable[[str], str], frame: str, before: str, after: str
) -> None:
    read = read_refusal(before + frame.format(letters(fixed)) + after)
    assert (read.is_refusal, read.fixed_text, read.refusal_with_answer) == (True, True, False)


@given(
    st.sampled_from([REFUSAL_ZH, REFUSAL_EN]),
    st.integers(0, 30),
    st.sampled_from(" \n\u3000\u200b"),
)
def test_blanks_and_marks_within_the_fixed_sentence_make_no_difference(
    fixed: str, at: int, blank: str
) -> None:
    at %= len(fixed)
    assert read_refusal(fixed[:at] + blank + fixed[at:]).fixed_text


@pytest.mark.parametrize(
    "text",
    ["检索到", "在所给资料中检索到3处", "Found in the provided filings", "Not found", "未找到"],
)
def test_other_words_are_not_the_fixed_sentence(text: str) -> None:
    assert not read_refusal(text).fixed_text


@given(st.integers(10_000, 10**6), st.sampled_from([REFUSAL_ZH, REFUSAL_EN]))
def test_the_fixed_sentence_with_a_figure_is_an_answer_and_a_breach(n: int, fixed: str) -> None:
    for text in (
        f"{fixed}。营业收入为{n:,}万元。",
        f"{fixed}. However, revenue was ${n:,} million.",
    ):
        read = read_refusal(text)
        assert (read.is_refusal, read.fixed_text, read.refusal_with_answer) == (False, True, True)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", AnswerStatus.ERROR),
        (" \n\u3000", AnswerStatus.ERROR),
        (REFUSAL_ZH, AnswerStatus.REFUSED),
        ("I don't know.", AnswerStatus.REFUSED),
        ("营业收入为1亿元。", AnswerStatus.ANSWERED),
        (f"{REFUSAL_EN}, but revenue was $5.2 billion.", AnswerStatus.ANSWERED),
        ("No dividends were declared.", AnswerStatus.ANSWERED),
    ],
)
def test_free_text_has_a_status(text: str, status: AnswerStatus) -> None:
    assert status_of(text) is status


@pytest.mark.parametrize(
    "piece",
    [
        "cannot ",
        "not ",
        "the excerpts do not ",
        "无法",
        "资料未",
        "，",
        "while a,",
        "***",
        "no data ",
    ],
)
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    started = time.perf_counter()
    read_refusal(text)
    assert time.perf_counter() - started < 6
