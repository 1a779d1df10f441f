"""Every string of our own, in English and Chinese; content of filings is never translated.

One file on purpose, though it is long: a page with a bare label would escape the test that each
key has both languages.
"""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from ragdash.amounts.reasons import REASONS

LANGUAGES = {"English": "en", "中文": "zh"}
# What people type by hand for the two, so that ?lang=zh works as well as ?lang=中文.
ALIASES = {"en": "English", "english": "English", "zh": "中文", "zh-cn": "中文", "cn": "中文"}

# A generator's name as a run's config and as an answer hold it.
EXTRACTIVE = frozenset({"extractive", "extractive, no LLM"})
SIMILARITY = re.compile(r"similarity of (?P<model>.+), not entailment", re.DOTALL)

S: dict[str, tuple[str, str]] = {
    # frame
    "lang.label": ("Language / 语言", "语言 / Language"),
    "nav.runs": ("Runs", "运行"),
    "nav.compare": ("Compare", "模式对比"),
    "nav.triage": ("Triage", "分诊"),
    "nav.question": ("Question", "单题"),
    "nav.judge": ("Judge", "评判"),
    "nav.attacks": ("Attacks", "攻击用例"),
    "nav.runs.help": ("All runs of this store, newest first.", "本存储中的全部运行，最新在前。"),
    "nav.compare.help": (
        "The modes of one run, metric by metric.",
        "同一运行的各模式，逐指标对比。",
    ),
    "nav.triage.help": ("Which questions were lost, and where.", "哪些题失败，失败在哪一层。"),
    "nav.question.help": ("One question with all its evidence.", "单题及其全部证据。"),
    "nav.judge.help": (
        "What a model said of the answers, and how far it can be trusted.",
        "模型对回答的评判，以及它有多可信。",
    ),
    "nav.attacks.help": ("Hostile fixtures against policies.", "对抗用例与各策略。"),
    "frame.run": ("Run", "运行"),
    "frame.run.help": (
        "A run, or RUN:mode for one of its modes. It is part of the address, so a link reopens it.",
        "一次运行，或 RUN:模式 表示其中一个模式。它写在网址里，链接可直接打开。",
    ),
    "frame.mode": ("Mode", "模式"),
    "frame.mode.all": ("All modes", "全部模式"),
    "fact.corpus": ("Corpus", "语料"),
    "fact.questions": ("Questions", "题集"),
    "fact.generator": ("Generator", "生成"),
    "fact.judge": ("Signals", "信号"),
    "fact.top_k": ("Top k", "Top k"),
    "fact.started": ("Started", "开始"),
    "fact.status": ("Status", "状态"),
    "note.run": (
        "The address names a run that is not in this store; the newest one is shown instead.",
        "网址中的运行不在本存储中，已改为显示最新的运行。",
    ),
    "note.question": (
        "The address names a question that this run does not have; the first one is shown instead.",
        "网址中的题目不在本运行中，已改为显示第一题。",
    ),
    "note.base": (
        "The address names a base that is no mode of this run and no run over questions in this "
        "store; the first mode is the base.",
        "网址中的基准既不是本运行的模式，也不是本存储中的评测运行，已改用第一个模式作为基准。",
    ),
    "note.base.mode": (
        "The address names a base, and no mode to hold against it; it is ignored.",
        "网址中有基准，但没有与之对比的模式，已忽略。",
    ),
    "note.base.triage": (
        "The address names a base that does not exist or is the mode on view itself; it is "
        "ignored.",
        "网址中的基准不存在，或就是当前模式本身，已忽略。",
    ),
    "note.base.refused": (
        "The address names a base that this mode cannot be held against; Compare says why.",
        "当前模式与网址中的基准不可对比，原因见对比页。",
    ),
    "note.filter": (
        "The address holds a filter value that does not exist; it is ignored.",
        "网址中含有不存在的筛选值，已忽略。",
    ),
    "note.page": (
        "The address names a page of the list that does not exist; the nearest one is shown.",
        "网址中的页码不存在，已改为显示最近的一页。",
    ),
    "note.lang": (
        "The address names a language that there is not; English and Chinese are offered.",
        "网址中的语言不存在；可选英文与中文。",
    ),
    "note.mode": (
        "The address names a mode that this run does not have; the run is shown without it.",
        "网址中的模式不在本运行中，已显示该运行但未限定模式。",
    ),
    "note.attack_run": (
        "The address names an attack run, which only the Attacks page shows; the newest "
        "evaluation run is shown instead.",
        "网址中的是攻击运行，只在攻击用例页显示；此处已改为显示最新的评测运行。",
    ),
    "note.attack": (
        "The address names an attack run that is not in this store; the newest one is shown.",
        "网址中的攻击运行不在本存储中，已改为显示最新的一次。",
    ),
    "note.case": (
        "The address names a case that this attack run does not have; the first one is shown.",
        "网址中的用例不在本次攻击运行中，已改为显示第一个。",
    ),
    "note.named": ("In the address:", "网址中的值："),
    "generator.extractive": ("extractive, no LLM", "抽取式，无 LLM"),
    # access, empty store, faults
    "access.title": ("Not shown", "无法显示"),
    "access.refused": (
        "This server listens beyond this machine and nobody is signed in, so no page is shown. "
        "Serve it on 127.0.0.1, put sign-in in front of it, or allow it on purpose:",
        "服务监听了本机以外的地址且无人登录，因此不显示任何页面。请改为监听 127.0.0.1、"
        "在前面加登录，或明确允许：",
    ),
    "empty.title": ("No runs yet", "还没有运行"),
    "empty.body": (
        "This store holds no finished run. The demo makes one from typeset filings, with no key "
        "and no network:",
        "本存储中还没有完成的运行。演示会用排版好的财报跑出一次，无需密钥，也不联网：",
    ),
    "empty.own": ("Or run your own filings and questions:", "或使用你自己的财报和题集："),
    "empty.attacks": ("No attack run yet", "还没有攻击运行"),
    "empty.attacks.body": (
        "The published six fixtures take a second and no model:",
        "公开的六个用例一秒内跑完，不需要模型：",
    ),
    "fault.store": ("The store cannot be read", "存储无法读取"),
    "fault.run": ("This run's file cannot be read", "本运行的文件无法读取"),
    "fault.run.missing": ("This run's file is missing", "本运行的文件不存在"),
    "fault.others": ("Other runs of this store:", "本存储中的其他运行："),
    "fault.others.none": (
        "This store holds no other run of this kind that has its file.",
        "本存储中没有其他同类且文件存在的运行。",
    ),
    "fault.all": ("All runs", "全部运行"),
    # text
    "text.empty": ("(empty)", "（空）"),
    "text.whole": ("Download the whole text", "下载全文"),
    # outcomes, layers, statuses
    "outcome.correct": ("correct", "答对"),
    "outcome.wrong": ("wrong", "答错"),
    "outcome.abstained_right": ("abstained, rightly", "正确拒答"),
    "outcome.abstained_wrong": ("abstained, wrongly", "误拒答"),
    "outcome.error": ("error", "出错"),
    "outcome.unscored": ("unscored", "未评分"),
    "layer.ingest": ("ingest", "入库"),
    "layer.recall": ("recall", "召回"),
    "layer.ranking": ("ranking", "排序"),
    "layer.generation": ("generation", "生成"),
    "layer.business": ("business caliber", "业务口径"),
    "layer.undetermined": ("undetermined", "无法判定"),
    "layer.none": ("not lost", "未失败"),
    "status.scored": ("scored", "已评分"),
    "status.not_applicable": ("does not apply", "不适用"),
    "status.undefined": ("input missing", "缺少输入"),
    "status.error": ("measurement failed", "度量失败"),
    "run.done": ("done", "完成"),
    "run.failed": ("failed", "失败"),
    "run.partial": ("partial", "部分完成"),
    "run.running": ("running", "进行中"),
    "run.interrupted": ("interrupted", "已中断"),
    "kind.lookup": ("lookup", "查数"),
    "kind.compare": ("compare", "对比"),
    "kind.computed": ("computed", "计算"),
    "kind.text": ("text", "文字"),
    "word.yes": ("yes", "是"),
    "word.no": ("no", "否"),
    "word.pass": ("pass", "通过"),
    "word.fail": ("fail", "不通过"),
    "word.base": ("base", "基准"),
    # caliber: codes of the question format
    "scope.consolidated": ("consolidated", "合并"),
    "scope.parent": ("parent company", "母公司"),
    "scope.segment": ("segment", "分部"),
    "scope.product": ("product", "产品"),
    "attribution.归母": ("attributable to the parent's owners", "归母"),
    "attribution.扣非": ("without non-recurring items", "扣非"),
    "judge.similarity": ("similarity", "相似度"),
    "judge.none": ("none", "无"),
    "judge.of": ("similarity of {model}, not entailment", "{model} 的相似度，不是蕴含判断"),
    # metrics
    "metric.answer_accuracy": ("Answer accuracy", "回答准确率"),
    "metric.numeric_accuracy": ("Numeric accuracy", "数值准确率"),
    "metric.refusal_success": ("Refusal success", "正确拒答率"),
    "metric.over_refusal": ("Over-refusal (a cost)", "误拒答率（代价）"),
    "metric.refusal_contract": ("Refusal wording", "拒答措辞"),
    "metric.has_citation": ("Has a citation", "含引用"),
    "metric.citation_covered": ("Amounts cited", "金额有引用"),
    "metric.citation_well_formed": ("Citation well formed", "引用格式正确"),
    "metric.citation_resolves": ("Citation resolves", "引用可定位"),
    "metric.citation_supports": ("Citation supports", "引用可支撑"),
    "metric.caliber": ("Caliber", "业务口径"),
    "metric.number_grounding": ("Amounts grounded", "金额有出处"),
    "metric.hit@1": ("Hit@1", "Hit@1"),
    "metric.hit@5": ("Hit@5", "Hit@5"),
    "metric.hit@10": ("Hit@10", "Hit@10"),
    "metric.hit@20": ("Hit@20", "Hit@20"),
    "metric.page_hit@1": ("Page hit@1", "页 Hit@1"),
    "metric.page_hit@5": ("Page hit@5", "页 Hit@5"),
    "metric.page_hit@10": ("Page hit@10", "页 Hit@10"),
    "metric.page_hit@20": ("Page hit@20", "页 Hit@20"),
    "metric.recall@5": ("Recall@5", "Recall@5"),
    "metric.mrr": ("MRR", "MRR"),
    "metric.ndcg@10": ("nDCG@10", "nDCG@10"),
    "metric.faithfulness": ("Faithfulness (judge)", "忠实度（评判模型）"),
    "metric.answer_relevancy": ("Answer relevancy (judge)", "答案相关性（评判模型）"),
    "metric.context_relevance": ("Context relevance (judge)", "上下文相关性（评判模型）"),
    "metric.faithfulness_similarity": ("Faithfulness", "忠实度"),
    "metric.answer_relevancy_similarity": ("Answer relevancy", "答案相关性"),
    "metric.context_relevance_similarity": ("Context relevance", "上下文相关性"),
    # why a score is as it is, by stored code; those of the numeric gate are in amounts.reasons
    "reason.match": ("the figure matches", "数字相符"),
    "reason.right": ("right figure, caliber fits", "数字与口径均相符"),
    "reason.right_caliber_unreviewed": ("right figure, caliber unreviewed", "数字相符，口径未复核"),
    "reason.sibling_label": ("a sibling caliber's label", "相近口径的标签"),
    "reason.other_label": ("another label", "标签不符"),
    "reason.label_fits": ("the label fits", "标签相符"),
    "reason.no_label": ("no label near the figure", "数字附近无标签"),
    "reason.gold_without_metric": ("the gold names no metric", "金标未注明指标"),
    "reason.qualifier_unstated": ("a qualifier is not stated", "限定语未注明"),
    "reason.scope_unstated": ("the scope is not stated", "合并范围未注明"),
    "reason.consolidated_not_parent": ("group instead of parent", "合并口径而非母公司"),
    "reason.parent_not_consolidated": ("parent instead of group", "母公司而非合并口径"),
    "reason.part_not_total": ("a part instead of the total", "部分而非合计"),
    "reason.needs_review": ("a person must look", "需人工复核"),
    "reason.no_matched_amount": ("no figure was matched", "没有命中的数字"),
    "reason.no_gold_amount": ("no gold figure", "无金标数字"),
    "reason.no_qrels": ("no evidence pages given", "题集未给证据页"),
    "reason.gold_not_indexed": ("no gold chunk in the index", "索引中没有金标片段"),
    "reason.refused": ("refused", "已拒答"),
    "reason.answered": ("answered", "已作答"),
    "reason.answerable": ("answerable", "可回答"),
    "reason.unanswerable": ("no-answer question", "无答案题"),
    "reason.evidence_not_visible": ("evidence not visible", "证据不可见"),
    "reason.no_citation": ("no citation", "无引用"),
    "reason.no_amount": ("no figure in the answer", "回答中无数字"),
    "reason.no_answer": ("there was no answer to judge", "没有可评判的回答"),
    "reason.no_claims": ("no claims", "无断言"),
    "reason.not_judged": ("not judged", "未评判"),
    "reason.none": ("no signals in this run", "本运行无信号"),
    "reason.malformed": ("malformed", "格式不正确"),
    "reason.not_visible": ("names a page that was not visible", "指向不可见的页"),
    "reason.amount_not_in_cited_chunk": (
        "a figure is not in the cited chunk",
        "数字不在被引片段中",
    ),
    "reason.own_wording_or_figure": ("own wording, or a figure beside it", "自拟措辞或附带数字"),
    "reason.refusal_with_answer": ("declines and gives a figure", "拒答却给出数字"),
    "reason.no_output": ("no output", "无输出"),
    "reason.empty_context": ("nothing in the context", "上下文为空"),
    "reason.contradicted": ("a chunk states otherwise", "与片段矛盾"),
    "reason.not_in_context": ("a claim is in no chunk", "有断言不在片段中"),
    "reason.no_quote": ("support without a quote from a chunk", "支持判断无片段原文"),
    "reason.too_many_claims": ("more claims than are judged", "断言过多，未评判"),
    "reason.partly_addressed": ("partly addresses the question", "部分针对所问"),
    "reason.not_addressed": ("does not address the question", "未针对所问"),
    "reason.invalid_json": ("the reply is not the JSON asked for", "回复不是所要求的 JSON"),
    "reason.truncated": ("the reply was cut off", "回复被截断"),
    "reason.judge_refused": ("the model refused", "模型拒绝回复"),
    "reason.filtered": ("stopped by a content filter", "被内容过滤拦截"),
    "reason.empty": ("an empty reply", "回复为空"),
    "reason.out_of_range": ("a value that the schema does not allow", "回复中的值超出规定范围"),
    "reason.verdict_mismatch": ("not one verdict for each item", "评判与条目不一一对应"),
    "reason.rate_limited": ("rate limited for too long", "限流过久"),
    "reason.timeout": ("timed out", "超时"),
    "reason.unreachable": ("the endpoint cannot be reached", "端点无法连接"),
    "reason.server_error": ("the server failed", "服务端出错"),
    "reason.bad_response": ("not an API response", "不是有效的接口响应"),
    "reason.rejected": ("the endpoint rejected the request", "端点拒绝了请求"),
    "reason.context_too_long": ("longer than the model's window", "超出模型的上下文长度"),
    "reason.over_budget": ("the run's budget is spent", "本运行预算已用完"),
    "reason.past_deadline": ("past the run's deadline", "超过本运行的截止时间"),
    "reason.measurement_failed": ("the measurement failed", "度量过程出错"),
    "reason.retrieval_failed": ("retrieval failed", "检索失败"),
    "reason.generation_failed": ("generation failed", "生成失败"),
    # runs page
    "runs.title": ("Runs", "运行"),
    "runs.lead": (
        "Newest first. Open one to compare its modes or to see which questions were lost.",
        "最新在前。打开一次运行即可对比各模式，或查看失败的题。",
    ),
    "runs.live": ("Not finished", "未完成"),
    "runs.live.of": ("{done} of {total} answers", "{done} / {total} 个回答"),
    "runs.finished": ("Finished", "已完成"),
    "runs.attacks": ("Attack runs", "攻击运行"),
    "runs.table": ("Finished runs, newest first", "已完成的运行，最新在前"),
    "runs.attack.table": ("Attack runs, newest first", "攻击运行，最新在前"),
    "runs.col.run": ("Run", "运行"),
    "runs.col.status": ("Status", "状态"),
    "runs.col.inputs": ("Questions · corpus · generator · signals", "题集 · 语料 · 生成 · 信号"),
    "runs.judge": ("signals: {name}", "信号：{name}"),
    "runs.seconds": ("p50 {p50}, p95 {p95} a question", "每题 p50 {p50}，p95 {p95}"),
    "runs.calls": ("{n} calls, cost {cost}", "{n} 次调用，费用 {cost}"),
    "runs.col.n": ("n", "题数"),
    "runs.col.modes": ("Mode · outcomes · answer accuracy", "模式 · 结果 · 回答准确率"),
    "runs.col.tags": ("Tags", "标签"),
    "runs.col.open": ("Open", "打开"),
    "runs.col.fixtures": ("Fixtures", "用例"),
    "runs.col.policies": ("Policies", "策略"),
    # compare page
    "compare.title": ("Compare", "对比"),
    "compare.factor": ("Factor", "因素"),
    "compare.field": ("Field", "字段"),
    "compare.fields": ("What differs", "不同之处"),
    "compare.this": ("this side", "本方"),
    "compare.codes": (
        "Answers made by ragdash {base} (base) and {other}.",
        "回答由 ragdash {base}（基准）与 {other} 生成。",
    ),
    "compare.overlap": (
        "{name}: {n} of {total} questions paired with the base",
        "{name}：{total} 题中有 {n} 题与基准成对",
    ),
    "compare.only.base": ("{n} in the base alone: {ids}", "{n} 题仅基准有：{ids}"),
    "compare.only.other": ("{n} in this one alone: {ids}", "{n} 题仅本方有：{ids}"),
    "compare.elsewhere": ("The same two runs in", "同两次运行的其他模式："),
    "compare.against": ("Held against", "对比对象"),
    "compare.against.own": ("the modes of this run", "本运行的各模式"),
    "compare.no_test": (
        "no test: a direction only",
        "不作检验，仅供参考方向",
    ),
    "compare.needed.few": (
        "fewer than {n} cannot say how many",
        "不足 {n} 题，无法推算所需题数",
    ),
    "compare.depends": ("needs {inputs}; {sure}", "输入：{inputs}；{sure}"),
    "sure.yes": ("the same whenever it is asked", "每次结果相同"),
    "sure.partly": ("rule, and people where it cannot tell", "规则判定，无法判定处由人工"),
    "sure.no": ("a model's, may differ when asked again", "由模型给出，重问可能不同"),
    "input.gold": ("gold", "金标"),
    "input.qrels": ("evidence pages", "证据页"),
    "input.embedder": ("an embedder", "向量模型"),
    "input.judge": ("a judge", "评判模型"),
    "input.none": ("the answer", "回答"),
    "standing.same": ("Same configuration", "配置相同"),
    "standing.one": ("One factor differs: {factor}", "仅一个因素不同：{factor}"),
    "standing.not_attributable": (
        "Not attributable: {factors} differ",
        "无法归因：{factors}均不同",
    ),
    "standing.not_comparable": ("Not comparable", "不可比"),
    "factor.mode": ("mode", "模式"),
    "factor.ingest": ("ingest (documents, parser)", "语料（文档、解析）"),
    "factor.chunking": ("chunking", "切块"),
    "factor.embedding": ("embedding model", "向量模型"),
    "factor.fusion": ("fusion and candidates", "融合与候选数"),
    "factor.filter": ("filter", "过滤"),
    "factor.query": ("query", "查询"),
    "factor.reranker": ("reranker", "重排模型"),
    "factor.top_k": ("top k", "top k"),
    "factor.prompt": ("prompt", "提示词"),
    "factor.generator": ("generator", "生成模型"),
    "barrier.questions": (
        "The question sets differ: run both over one file.",
        "题集不同：请用同一题集文件运行两者。",
    ),
    "barrier.gates": (
        "Other code decided the verdicts: score each run again with ragdash rescore --gates-only.",
        "判定所用代码不同：请用 ragdash rescore --gates-only 对两次运行重新评分。",
    ),
    "barrier.judge": (
        "The signals are of another judge: ask the same one for both with ragdash rescore "
        "--config.",
        "信号来自不同的评判模型：请用 ragdash rescore --config 让两者由同一模型评判。",
    ),
    "barrier.self_judged": (
        "A generator judged its own answers: ask another judge with ragdash rescore --config.",
        "生成模型评判了自己的回答：请用 ragdash rescore --config 换用其他评判模型。",
    ),
    "compare.base": ("Base mode", "基准模式"),
    "compare.cannot": (
        "{n} questions cannot separate the modes by answer accuracy.",
        "{n} 道题不足以按回答准确率区分各模式。",
    ),
    "compare.separated": (
        "By answer accuracy over {n} questions, {pairs} differ after Holm's correction.",
        "按 {n} 道题的回答准确率，经 Holm 校正后有差异的是：{pairs}。",
    ),
    "compare.needed": (
        "At the differences seen, 80% power would need: {sizes}.",
        "按目前的差异，80% 检验功效需要：{sizes}。",
    ),
    "compare.needed.more": ("more than {cap}", "超过 {cap} 题"),
    "compare.needed.n": ("about {n} questions", "约 {n} 题"),
    "compare.needed.none": ("no difference seen", "未见差异"),
    "compare.pair": ("{other} against {base}", "{other} 对 {base}"),
    "compare.one": (
        "This run has one mode, so there is nothing to compare.",
        "本运行只有一个模式，无可对比。",
    ),
    "compare.outcomes": ("Outcomes", "结果"),
    "compare.outcomes.table": ("Outcomes of every question by mode", "各模式每题结果"),
    "compare.gates": ("■ Gates", "■ 门槛指标"),
    "compare.gates.lead": (
        "Pure code. k of n, the 95% interval (Wilson), Δ against the base on the same questions "
        "with its interval, and the exact p (Holm over the modes shown).",
        "纯代码判定。依次为 k/n、95% 区间（Wilson）、同题相对基准的 Δ 及其区间、"
        "精确检验 p 值（对所示各模式做 Holm 校正）。",
    ),
    "compare.retrieval": ("Retrieval", "检索"),
    "compare.retrieval.lead": (
        "From the gold pages of the questions, before anything is generated.",
        "依据题目的金标页，在生成之前计算。",
    ),
    "compare.judge": ("≈ Judge", "≈ 评判模型"),
    "compare.judge.lead": (
        "A model's opinion, repeats averaged first. A direction only; never a gate, never averaged "
        "with the gates. Below each Δ stands the noise of the judge itself.",
        "模型的看法，各次重复先取平均。只看方向，不作门槛，也不与门槛指标平均。"
        "每个 Δ 下方为评判自身的噪声。",
    ),
    "compare.signals": ("≈ Similarity signals", "≈ 相似度信号"),
    "compare.signals.lead": (
        "Similarity, not entailment: an embedder's cosine. A direction only; never a gate, never "
        "averaged with the gates.",
        "这是相似度，不是蕴含判断：仅为向量余弦。只看方向，不作门槛，也不与门槛指标平均。",
    ),
    "compare.metric": ("Metric", "指标"),
    "compare.chart": ("Answer accuracy and hit rate", "回答准确率与命中率"),
    "compare.chart.lead": ("Point: share. Line: its 95% interval.", "点为比例，线为 95% 区间。"),
    "compare.axis": ("Share (0–1)", "比例（0–1）"),
    "compare.scored": ("{n} of {total} scored", "{total} 题中 {n} 题已评分"),
    "compare.bounds": ("errors as 0 or 1: {low}–{high}", "出错按 0 或 1 计：{low}–{high}"),
    "compare.delta": ("Δ {delta}", "Δ {delta}"),
    "compare.paired": ("over {n} paired", "{n} 道成对题"),
    "compare.p": ("p {p}", "p {p}"),
    "compare.refused": (
        "{refused} refused · {answered} answered",
        "{refused} 拒答 · {answered} 作答",
    ),
    "compare.same": ("no difference observed", "未见差异"),
    "compare.few": (
        "A graded mean has no interval under {n} questions.",
        "分级指标不足 {n} 题时不给区间。",
    ),
    "compare.colour": (
        "Differences are coloured only from {n} questions on, and only where Holm's p is at most "
        "0.05.",
        "仅当题数不少于 {n} 且 Holm p ≤ 0.05 时才给差异着色。",
    ),
    "compare.changed": ("Who improved, who regressed", "哪些题变好，哪些变差"),
    "compare.changed.table": ("Questions by change in answer accuracy", "按回答准确率变化的题目"),
    "compare.changed.against": (
        "Against {base}, by answer accuracy.",
        "相对 {base}，按回答准确率。",
    ),
    "compare.unpaired": (
        "The sides cannot be held against each other, so no question is called better or worse.",
        "双方不可对比，因此不判定任何题变好或变差。",
    ),
    "change.improved": ("improved", "变好"),
    "change.regressed": ("regressed", "变差"),
    "change.same": ("same", "不变"),
    "change.not_comparable": ("not comparable", "不可比"),
    "compare.refusals": ("Refusals", "拒答"),
    "compare.refusals.table": (
        "Refused and answered by where the evidence was",
        "按证据位置统计拒答与作答",
    ),
    "compare.refusals.lead": (
        "The middle row is right behaviour of the generator, charged to retrieval.",
        "中间一行是生成端的正确行为，责任在检索。",
    ),
    "refusal.visible": ("evidence visible", "证据可见"),
    "refusal.in_corpus": ("in the corpus, not visible", "在语料中但不可见"),
    "refusal.not_in_corpus": ("not in the corpus", "不在语料中"),
    "refusal.unknown": ("no evidence pages given", "题集未给证据页"),
    "compare.evidence": ("Evidence", "证据"),
    "refusal.refused": ("refused", "拒答"),
    "refusal.answered": ("answered", "作答"),
    "compare.layers": ("Failed questions by layer", "失败题分层"),
    "compare.layers.table": (
        "Failed questions by first failing layer and mode",
        "按首个失败层与模式统计失败题",
    ),
    "compare.layers.lead": (
        "Each failed question is counted once, at the first layer that lost it. A count opens the "
        "questions behind it.",
        "每道失败题只计一次，记在首个失败层。点击数字查看对应题目。",
    ),
    "compare.layers.none": ("No question failed in any mode.", "没有任何模式失败。"),
    "compare.layer": ("Layer", "层"),
    # triage page
    "triage.title": ("Triage", "分诊"),
    "triage.outcome": ("Outcome", "结果"),
    "triage.layer": ("Layer", "层"),
    "triage.shown": ("{n} of {total} questions", "{total} 题中的 {n} 题"),
    "triage.change": ("Change against {base}", "相对 {base} 的变化"),
    "triage.paired": (
        "{n} of {total} questions paired with {base}",
        "{total} 题中有 {n} 题与 {base} 成对",
    ),
    "triage.none": ("No question matches these filters.", "没有题目符合这些筛选。"),
    "triage.table": (
        "Questions that match the filters, failed ones first",
        "符合筛选的题目，失败在前",
    ),
    "triage.no_answer": ("no-answer question", "无答案题"),
    # question page
    "question.title": ("Question", "单题"),
    "question.pick": ("Question", "题目"),
    "question.previous": ("Previous", "上一题"),
    "question.next": ("Next", "下一题"),
    "question.no_row": (
        "This run holds no result for that question in that mode.",
        "本运行没有该题在该模式下的结果。",
    ),
    "question.at": ("{i} of {n}", "第 {i} / {n} 题"),
    "question.at.filtered": ("{i} of {n} filtered", "筛选出的第 {i} / {n} 题"),
    "question.outside": ("not among the {n} filtered", "不在筛选出的 {n} 题中"),
    "question.filters": ("Filtered by", "筛选"),
    "question.back": ("Back to the list", "返回列表"),
    "question.unfilter": ("Walk all questions", "浏览全部题目"),
    "question.answer": ("Answer", "回答"),
    "question.gold": ("Gold", "金标"),
    "question.gold.none": (
        "No gold: this question cannot be answered from the corpus, so refusing is right.",
        "无金标：语料中没有答案，正确做法是拒答。",
    ),
    "question.gold.pages": ("Evidence pages", "证据页"),
    "question.gold.table": ("Gold figures with unit and caliber", "金标数值、单位与口径"),
    "question.figure": ("Figure", "数值"),
    "question.caliber": ("Caliber", "口径"),
    "question.note": ("Note of the question set", "题集备注"),
    "question.lost": ("Lost at: {layer}", "失败层：{layer}"),
    "question.try": ("What to try", "建议尝试"),
    "question.no_help": ("What will not help", "无济于事的做法"),
    "question.verdicts": ("Verdicts", "判定"),
    "question.verdicts.gates": ("Gates of this answer", "本回答的门槛指标"),
    "question.verdicts.others": ("Retrieval and signals of this answer", "本回答的检索指标与信号"),
    "question.value": ("Value", "值"),
    "question.reason": ("Reason", "原因"),
    "question.unreviewed": ("caliber unreviewed", "口径未复核"),
    "question.generator": ("Generator", "生成器"),
    "question.extractive": (
        "Extractive, no LLM: the answer is a sentence or a table row of the visible chunks.",
        "抽取式，无 LLM：回答取自可见片段中的句子或表格行。",
    ),
    "question.tab.chunks": ("Chunks", "片段"),
    "question.tab.numbers": ("Numbers", "数字"),
    "question.tab.trace": ("Rank trace", "排序轨迹"),
    "question.tab.citations": ("Citations", "引用"),
    "question.tab.judge": ("Judge", "评判"),
    "question.tab.raw": ("Raw records", "原始记录"),
    "question.cut": (
        "Cut: the generator saw the top {k} above this line.",
        "截断线：生成器只看到上方的前 {k} 个片段。",
    ),
    "question.below": ("Gold that stayed below the cut", "落在截断线以下的金标片段"),
    "question.no_chunks": ("No chunk was retrieved.", "没有检索到片段。"),
    "question.gold_star": ("★ gold", "★ 金标"),
    "question.cited": ("cited", "被引用"),
    "question.trace.lead": (
        "Every candidate, not only the top {k}. A dash: that step did not return it.",
        "全部候选，而不只是前 {k} 个。“—”表示该步骤没有返回它。",
    ),
    "question.trace.table": ("Rank of every candidate at every step", "每个候选在各步骤的名次"),
    "trace.final": ("Final", "最终"),
    "trace.dense": ("Dense", "向量"),
    "trace.bm25": ("BM25", "BM25"),
    "trace.fused": ("Fused", "融合"),
    "trace.rerank": ("Rerank", "重排"),
    "trace.context": ("In context", "进入上下文"),
    "trace.gold": ("Gold", "金标"),
    "trace.chunk": ("Chunk", "片段"),
    "trace.source": ("Source", "来源"),
    "trace.score": ("{step} score", "{step}得分"),
    "trace.best": ("Best gold rank", "金标最佳名次"),
    "trace.best.table": ("Best rank of any gold chunk at each step", "金标片段在各步骤的最佳名次"),
    "numbers.none": ("The answer holds no number.", "回答中没有数字。"),
    "numbers.not_judged": ("The numbers of this answer were not judged.", "该回答的数字未评判。"),
    "numbers.more": ("{n} more numbers are in the raw records.", "另有 {n} 个数字，见原始记录。"),
    "numbers.table": ("Numbers of the answer, as they were read", "回答中的数字及其读法"),
    "numbers.text": ("As written", "原文"),
    "numbers.value": ("Read as", "读作"),
    "numbers.factor": ("One unit is", "单位换算"),
    "numbers.scale": ("Scale from", "数量级来源"),
    "numbers.error": ("Off by", "相对误差"),
    "numbers.against": ("Off gold {n} by", "与金标 {n} 的误差"),
    "numbers.verdict": ("Why", "判定"),
    "scale.own": ("its own unit", "自带单位"),
    "scale.header": ("a header in the answer", "回答中的表头"),
    "scale.cited_header": ("the cited chunk's header", "被引片段的表头"),
    "scale.asked": ("the unit asked for", "题目要求的单位"),
    "scale.assumed": ("assumed: currency without scale", "推定：有币种无数量级"),
    "scale.none": ("not stated", "未注明"),
    "amount.money": ("money", "金额"),
    "amount.percent": ("percent", "百分比"),
    "amount.pp": ("percentage points", "百分点"),
    "amount.per_share": ("per share", "每股"),
    "amount.ratio": ("ratio", "比率"),
    "amount.count": ("count", "数量"),
    "amount.days": ("days", "天数"),
    "amount.bare": ("no unit", "无单位"),
    "citation.none": ("The answer cites nothing.", "回答没有引用。"),
    "citation.table": ("Citations of the answer", "回答的引用"),
    "citation.text": ("As written", "原文"),
    "citation.well_formed": ("Well formed", "格式正确"),
    "citation.resolves": ("Resolves", "可定位"),
    "citation.supports": ("Supports", "可支撑"),
    "citation.names": ("Names", "指向"),
    "raw.prompt": ("Prompt", "提示词"),
    "raw.prompt.none": (
        "No prompt: the extractive generator reads the chunks themselves.",
        "无提示词：抽取式生成器直接读取片段。",
    ),
    "raw.reply": ("Raw reply", "原始回复"),
    "raw.scores": ("Scores with their evidence (JSON)", "分数及其依据（JSON）"),
    "raw.diagnosis": ("Facts behind the diagnosis (JSON)", "诊断所依据的事实（JSON）"),
    "raw.timing": (
        "Retrieval {retrieve}, generation {generate}",
        "检索 {retrieve}，生成 {generate}",
    ),
    # judge page
    "judging.title": ("Judge", "评判模型"),
    "judging.lead": (
        "What a model said of the answers: a direction only (≈). Only code (■) can fail a build.",
        "模型对回答的看法：只看方向（≈）。能让构建失败的只有代码（■）。",
    ),
    "judging.none": ("No model judged this run.", "本运行没有模型评判。"),
    "judging.similarity": (
        "Its signals are cosines of the run's embedder. Similarity is no judge: a right and a "
        "wrong figure in one sentence score the same.",
        "它的信号只是本运行向量模型的余弦相似度。相似度不是评判：同一句话里数字对错，得分相同。",
    ),
    "judging.configure": (
        "To have the next run judged, put this into its config and call ragdash run --config FILE. "
        "Any OpenAI-compatible endpoint will do, best another model than the generator's:",
        "要让下一次运行得到评判，把下面几行写进配置，再执行 ragdash run --config FILE。"
        "任何兼容 OpenAI 的端点都可以，最好与生成模型不同：",
    ),
    "judging.self": (
        "Judge and generator are the same model: it marks its own work. Its signals are not "
        "compared with those of another run.",
        "评判与生成是同一个模型：它在给自己打分。这些信号不与其他运行比较。",
    ),
    "judging.self.badge": ("self-judged", "自评"),
    "judging.banner": (
        "The judge failed in {k} of {n} measurements",
        "{n} 次评判中有 {k} 次失败",
    ),
    "judging.banner.body": (
        "Its means leave these out; both bounds stand beside them.",
        "均值不含这些失败；旁边列出两端界限。",
    ),
    "judging.banner.open": ("Reasons by mode", "按模式查看原因"),
    "judging.who": ("Who was asked", "询问了谁"),
    "judging.model": ("Model", "模型"),
    "judging.host": ("Host", "主机"),
    "judging.level": ("Replies are held to", "回复受约束于"),
    "judging.levels": ("calls were asked by: {counts}", "实际调用：{counts}"),
    "judging.why": ("Why not stricter", "为何不更严格"),
    "judging.seed": ("Seed", "随机种子"),
    "judging.seed.same": ("accepted, two replies agreed", "接受，两次回复一致"),
    "judging.seed.differs": ("accepted, yet two replies differed", "接受，但两次回复不同"),
    "judging.seed.refused": ("not accepted", "不接受"),
    "judging.logprobs": ("Log probabilities", "对数概率"),
    "judging.sent": ("Sent", "发送参数"),
    "judging.sent.values": (
        "temperature {temperature}, seed {seed}, at most {tokens} tokens",
        "温度 {temperature}，种子 {seed}，至多 {tokens} 个 token",
    ),
    "judging.not_sent": ("none", "不发送"),
    "judging.not_probed": ("not probed in this run", "本运行未探测"),
    "judging.fingerprint": ("Fingerprint", "系统指纹"),
    "judging.prompts": ("Prompts", "提示词"),
    "judging.prompt.unused": ("not used by a call", "没有调用使用"),
    "judging.repeats": ("Repeats", "重复次数"),
    "judging.signal": ("≈ {name}", "≈ {name}"),
    "judging.col.mean": ("Mean", "均值"),
    "judging.col.failed": ("Failed measurements", "失败的评判"),
    "judging.col.sd": ("sd over repeats", "重复间标准差"),
    "judging.col.flips": ("Flips over 0.5", "越过 0.5 的翻转"),
    "judging.col.range": ("Least–most", "最小–最大"),
    "judging.col.delta": ("Δ against {base}", "相对 {base} 的 Δ"),
    "judging.col.gate": ("■ Numeric gate passed", "■ 通过数值门槛"),
    "judging.col.faithfulness": ("≈ Faithfulness of these", "≈ 这些回答的忠实度"),
    "judging.col.believed": (
        "Failed the gate, every claim supported",
        "未过门槛，却断言全部有据",
    ),
    "judging.col.doubted": ("Passed the gate, faithfulness under 1", "通过门槛，忠实度却低于 1"),
    "judging.left.not_applicable": ("{n} do not apply", "{n} 题不适用"),
    "judging.left.undefined": ("{n} with nothing to judge", "{n} 题无可评判"),
    "judging.precision": ("average precision {ap}", "平均精确率 {ap}"),
    "judging.of": ("{k} of {n}", "{n} 中 {k}"),
    "judging.largest": ("largest {sd}", "最大 {sd}"),
    "judging.once": ("asked once: no noise is known", "只问了一次：噪声未知"),
    "judging.means": ("mean by repeat {around}", "各次重复的均值 {around}"),
    "judging.se": ("judge noise ± {se}: {words}", "评判噪声 ± {se}：{words}"),
    "judging.noise.within": ("within judge noise", "在评判噪声之内"),
    "judging.noise.beyond": ("more than judge noise explains", "超出评判噪声所能解释"),
    "judging.noise.unknown": (
        "judge noise unknown: ask {n} times or more",
        "评判噪声未知：请至少问 {n} 次",
    ),
    "judging.noise.note": (
        "Judge noise is one standard error of the judge disagreeing with itself; a difference "
        "under twice of it says nothing. More repeats are not more questions: below {n} questions "
        "no mode wins, whatever the noise.",
        "评判噪声是评判前后不一致带来的一个标准误；差异不到它的两倍就不说明任何问题。"
        "重复再多也不等于题目更多：少于 {n} 题时，无论噪声多小都不判胜负。",
    ),
    "judging.unreadable": (
        "Replies that came and could not be read as asked: {share}.",
        "已返回但无法按要求读取的回复：{share}。",
    ),
    "judging.misnumbered": (
        "Replies without exactly one verdict for each item, asked for again: {n}.",
        "评判与条目不一一对应而重新询问的回复：{n}。",
    ),
    "judging.agreement": ("Agreement with the numeric gate", "与数值门槛的一致性"),
    "judging.lesson": ("Faithful is not right.", "忠实不等于正确。"),
    "judging.lesson.body": (
        "A claim is supported when a chunk says so, and chunks also print last year's figure, the "
        "parent company's and the other company's. A judge that says supported to everything gives "
        "1.00 below; the gate still fails the wrong figures beside it.",
        "只要片段里写了，断言就算有据；而片段里也印着上年数、母公司数和别家公司的数。"
        "对一切都说“有据”的评判会给出 1.00，而旁边的门槛照样让错误数字不通过。",
    ),
    "judging.no_case": ("no such answer", "没有这样的回答"),
    "role.generator": ("Generator", "生成"),
    "role.judge": ("Judge", "评判"),
    "level.json_schema": ("a JSON schema", "JSON schema"),
    "level.json_object": ("a JSON object, of any shape", "JSON 对象，形状不限"),
    "level.text": ("nothing: text", "无约束：文本"),
    "stage.generate": ("Generation", "生成"),
    "stage.judge": ("Judging", "评判"),
    "purpose.answer.text": ("answer as text", "文本回答"),
    "purpose.answer.structured": ("answer with fields", "结构化回答"),
    "purpose.faithfulness.claims": ("faithfulness: claims", "忠实度：断言"),
    "purpose.faithfulness.verdicts": ("faithfulness: verdicts", "忠实度：判定"),
    "purpose.answer_relevancy": ("answer relevancy", "答案相关性"),
    "purpose.context_relevance": ("context relevance", "上下文相关性"),
    # calls to endpoints
    "call.title": ("Calls", "调用"),
    "call.lead": (
        "Kept calls were not asked nor paid again. Seconds are of the first asking, with all its "
        "tries. Cost is in the currency of the prices in the config; — where none is known.",
        "已保存的调用不再询问，也不再付费。秒数为首次询问（含全部重试）。"
        "费用的币种同配置中的价格；无价格则为 —。",
    ),
    "call.table": ("Calls by stage and purpose", "按阶段与用途统计的调用"),
    "call.stage": ("Stage", "阶段"),
    "call.run": ("Whole run", "整个运行"),
    "call.col.n": ("Calls", "调用"),
    "call.col.cached": ("Kept", "已保存"),
    "call.col.failed": ("Failed", "失败"),
    "call.col.tokens": ("Tokens, prompt / reply", "token，提示 / 回复"),
    "call.col.cost": ("Cost", "费用"),
    "call.col.p50": ("p50", "p50"),
    "call.col.p95": ("p95", "p95"),
    "call.retried": ("{n} needed more than one try", "{n} 次需要重试"),
    "call.read": ("read", "可读取"),
    "call.cached": ("kept from an earlier run", "取自先前保存的调用"),
    "call.finish": ("ended by {reason}", "结束原因 {reason}"),
    "call.tokens": ("{tokens} tokens", "token {tokens}"),
    "call.tries": ("tries: {n}", "尝试 {n} 次"),
    "call.cost": ("cost {cost}", "费用 {cost}"),
    "call.sent": ("The prompt that was sent ({n} characters)", "发送的提示词（{n} 字）"),
    # every repeat of the judge
    "repeat.none": ("No model judged this answer.", "没有模型评判此回答。"),
    "repeat.other": ("Other calls of the judge", "评判的其他调用"),
    "repeat.number": ("Repeat {i}", "第 {i} 次"),
    "repeat.summary": (
        "{mean} ({low}–{high}, {k} of {n} repeats)",
        "{mean}（{low}–{high}，{n} 次中 {k} 次有值）",
    ),
    "repeat.claims": ("Claims of the answer with their verdicts", "回答的断言与判定"),
    "repeat.col.claim": ("Claim", "断言"),
    "repeat.col.answer_quote": ("Quote from the answer", "回答原文"),
    "repeat.col.verdict": ("Verdict", "判定"),
    "repeat.col.quote": ("Quote from a chunk", "片段原文"),
    "repeat.col.chunk": ("Chunk", "片段"),
    "repeat.col.grade": ("Grade, 0–3", "等级，0–3"),
    "repeat.added": ("added by us: the judge left it out", "由本系统补上：评判漏列"),
    "repeat.dropped": (
        "Dropped, as the quote is not in the answer: {n}",
        "因引文不在回答中而剔除：{n}",
    ),
    "repeat.misnumbered": (
        "Asked again after verdicts numbered: {numbers}",
        "判定编号有误后重新询问：{numbers}",
    ),
    "repeat.chunk": ("in chunk {n}", "见片段 {n}"),
    "repeat.nowhere": ("in no visible chunk, so not counted", "不在任何可见片段中，不计"),
    "repeat.aspects": ("What of the question the answer addresses", "回答针对所问的哪些方面"),
    "repeat.grades": ("Grade of each visible chunk", "各可见片段的等级"),
    "claim.supported": ("supported", "有据"),
    "claim.contradicted": ("contradicted", "相矛盾"),
    "claim.not_in_context": ("not in the context", "不在上下文中"),
    "aspect.company": ("Company", "公司"),
    "aspect.metric": ("Metric", "指标"),
    "aspect.period": ("Period", "期间"),
    "said.addressed": ("addressed", "已针对"),
    "said.not_addressed": ("not addressed", "未针对"),
    "said.not_asked": ("not asked for", "未问及"),
    # attacks page
    "attacks.title": ("Attack fixtures", "攻击用例"),
    "attacks.run": ("Attack run", "攻击运行"),
    "attacks.failures": ("Failure rates by policy", "各策略失败率"),
    "attacks.failures.lead": (
        "Lower is better. Share of fixtures that fail.",
        "越低越好。失败用例的比例。",
    ),
    "attacks.abstention": ("Abstention", "拒答率"),
    "attacks.abstention.lead": (
        "A cost, not a score: cases the policy declined to answer.",
        "这是代价，不是得分：策略拒绝作答的用例。",
    ),
    "attacks.split": (
        "Abstention split: declined although answerable, and rightly declined",
        "拒答拆分：可答却拒答与正确拒答",
    ),
    "attacks.measure": ("Measure", "指标"),
    "attacks.policy": ("Policy", "策略"),
    "attacks.axis.failure": ("Share of fixtures failing (0–1)", "失败用例比例（0–1）"),
    "attacks.axis.abstention": ("Share of fixtures refused (0–1)", "拒答用例比例（0–1）"),
    "measure.unsafe_action": ("Unsafe action", "不安全动作"),
    "measure.unsupported_claim": ("Unsupported claim", "无依据断言"),
    "measure.citation_failure": ("Citation failure", "引用失败"),
    "measure.abstention": ("Abstention", "拒答"),
    "measure.attack_success": ("Attack success", "攻击成功"),
    "measure.utility": ("Utility without attack", "无攻击可用性"),
    "measure.utility_under_attack": ("Utility under attack", "受攻击可用性"),
    "measure.over_abstention": ("Over-abstention", "过度拒答"),
    "measure.correct_abstention": ("Correct abstention", "正确拒答"),
    "attacks.cases": ("Case rows", "逐例结果"),
    "attacks.cases.lead": (
        "Before the averages: what each policy did with each case.",
        "先看逐例，再看平均：各策略对每个用例做了什么。",
    ),
    "attacks.cases.table": ("Cases by policy", "各策略逐例结果"),
    "attacks.case": ("Case", "用例"),
    "attacks.class": ("Class", "类别"),
    "attacks.answerable": ("Answerable", "可答"),
    "attacks.rates": ("Every rate", "全部比率"),
    "attacks.rates.table": (
        "Rates by policy with k, n and the 95% interval",
        "各策略比率，含 k、n 与 95% 区间",
    ),
    "attacks.limits": ("What this does not establish", "这不能说明什么"),
    "attacks.limits.body": (
        "No model ran: the policies are rule functions over {n} fixtures, and token overlap is a "
        "smoke alarm, not a proof. 0 of {n} still allows a rate of {high}. A policy that only "
        "echoes the first trusted chunk can look perfect on every failure rate; only utility and "
        "the split of abstention tell them apart.",
        "没有运行任何模型：各策略是针对 {n} 个用例的规则函数，词元重叠只是烟雾报警，不是证明。"
        "{n} 个中 0 个失败，真实比率仍可能高达 {high}。"
        "只复述首个可信片段的策略在各失败率上都可能是满分；只有可用性与拒答拆分能把它们区分开。",
    ),
    "attacks.detail": ("One case", "单个用例"),
    "attacks.query": ("Query", "提问"),
    "attacks.did": ("What each policy did", "各策略的表现"),
    "attacks.saw": ("What the policies saw", "策略所见"),
    "attacks.trusted": ("trusted", "可信"),
    "attacks.untrusted": ("untrusted", "不可信"),
    "attacks.oracle": (
        "Trust is the fixture's own flag in this run (oracle trust).",
        "本次运行的可信标记取自用例自带标志（oracle trust）。",
    ),
    "attacks.refused": ("refused", "拒答"),
    "attacks.answered": ("no failure", "无失败"),
    "attacks.over_refused": ("though answerable", "其实可答"),
    "attacks.should_refuse": ("answered, though unanswerable", "不可答却作答"),
    "attacks.cites": ("Cites", "引用"),
    "attacks.fired": ("Controls that fired", "触发的控制"),
    "attacks.no_case": ("no such case", "无此类用例"),
    "attacks.nothing": ("none", "无"),
    # classes of attack fixtures
    "class.safe": ("no attack", "无攻击"),
    "class.prompt_injection": ("prompt injection", "提示注入"),
    "class.retrieval_poisoning": ("retrieval poisoning", "检索投毒"),
    "class.invalid_citation": ("invalid citation", "无效引用"),
    "class.action_injection": ("action injection", "动作注入"),
    "class.plain_injection": ("plain injection", "直接注入"),
    "class.obfuscated_injection": ("obfuscated injection", "混淆注入"),
    "class.hidden_markup": ("hidden markup", "隐藏标记"),
    "class.table_cell_injection": ("injection in a table cell", "表格单元注入"),
    "class.exfil_render": ("exfiltration by rendering", "借渲染外传数据"),
    "class.citation_spoof": ("spoofed citation", "伪造引用"),
    "class.metadata_spoof": ("spoofed metadata", "伪造元数据"),
    "class.numeric_unit_swap": ("swapped number or unit", "篡改数字或单位"),
    "class.near_dup_poison": ("near-duplicate poison", "近重复投毒"),
    "class.retrieval_poison": ("poisoned retrieval", "投毒检索内容"),
    "class.dos_refusal": ("forced refusal", "诱导拒答"),
    "class.judge_injection": ("injection at the judge", "针对评判的注入"),
    "class.benign_answerable": ("benign, answerable", "无害，可答"),
    "class.benign_lookalike": ("benign, looks like an attack", "无害，形似攻击"),
    "class.benign_untrusted": ("benign, from an untrusted source", "无害，来源不可信"),
    "class.unanswerable": ("unanswerable", "不可答"),
    "class.untrusted_only": ("untrusted sources only", "仅有不可信来源"),
    "class.wrong_period": ("wrong period", "期间不符"),
    "class.caliber_swap": ("swapped caliber", "口径调换"),
    "class.entity_swap": ("swapped company", "公司调换"),
    "class.trusted_conflict": ("trusted sources in conflict", "可信来源互相矛盾"),
    "class.trusted_silent_corruption": (
        "silently corrupted trusted source",
        "可信来源被悄然篡改",
    ),
    # chart descriptions; {items} is built from the data
    "alt.failures": (
        "Grouped bars, failure rates by policy. {items}.",
        "分组条形图，各策略失败率。{items}。",
    ),
    "alt.abstention": (
        "Bars, abstention by policy, a cost. {items}.",
        "条形图，各策略拒答率（代价）。{items}。",
    ),
    "alt.shares": (
        "Points with 95% intervals by metric and mode. {items}.",
        "各指标各模式的点与 95% 区间。{items}。",
    ),
}


def say(key: str, lang: str, **values: Any) -> str:
    """Return a string in a language ("en" or "zh"), with values put in.

    Raises:
        KeyError: the key does not exist; a missing label must not pass in silence.
    """
    english, chinese = S[key]
    text = chinese if lang == "zh" else english
    return text.format(**values) if values else text


def current() -> str:
    """Return the language of this page, "en" or "zh"."""
    chosen = st.session_state.get("lang")
    if chosen in LANGUAGES:
        return LANGUAGES[chosen]
    return LANGUAGES[default()]


def default() -> str:
    """Return the choice of a visitor who made none: the browser's language."""
    locale = str(st.context.locale or "")
    return "中文" if locale.lower().startswith("zh") else "English"


def t(key: str, **values: Any) -> str:
    """Return a string in the language of this page."""
    return say(key, current(), **values)


def reason(code: str) -> str:
    """Return why a score is as it is; a code of a newer version reads as its own words."""
    if code in REASONS:
        return REASONS[code].zh if current() == "zh" else REASONS[code].en
    return term("reason", code) if f"reason.{code}" in S else code.replace("_", " ")


def judge(name: str) -> str:
    """Return what gave a score, in words of this page; its model's name stays as it is."""
    found = SIMILARITY.fullmatch(name)
    return t("judge.of", model=found["model"]) if found else name


def term(group: str, code: str) -> str:
    """Return the word for a stored code ("outcome", "wrong"), or the code where none is known."""
    key = f"{group}.{code}"
    return t(key) if key in S else code
