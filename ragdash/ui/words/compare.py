"""Words of the Compare page and what it shares with Triage: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
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
    "sure.partly": (
        "a rule, unless a person has said otherwise",
        "规则判定；有人工判定时以人工为准",
    ),
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
    "factor.system": ("system", "系统"),
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
    "compare.gates": ("■ Gates", "■ 门禁指标"),
    "compare.gates.lead": (
        "Pure code, and people where they are named. k of n, the 95% interval (Wilson), Δ against "
        "the base on the same questions with its interval, and the exact p (Holm over the modes "
        "shown).",
        "由代码判定，注明“由人工判定”者除外。依次为 k/n、95% 区间（Wilson）、"
        "同题相对基准的 Δ 及其区间、精确检验 p 值（对所示各模式做 Holm 校正）。",
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
        "模型的看法，各次重复先取平均。只看方向，不作门禁，也不与门禁指标平均。"
        "每个 Δ 下方为评判自身的噪声。",
    ),
    "compare.signals": ("≈ Similarity signals", "≈ 相似度信号"),
    "compare.signals.lead": (
        "Similarity, not entailment: an embedder's cosine. A direction only; never a gate, never "
        "averaged with the gates.",
        "这是相似度，不是蕴含判断：仅为向量余弦。只看方向，不作门禁，也不与门禁指标平均。",
    ),
    "compare.given": ("≈ The system's own scores", "≈ 该系统自评"),
    "compare.given.lead": (
        "As the imported file states them; ragdash did not measure them. A direction only; never a "
        "gate, and compared within one import only.",
        "按导入文件所述，并非由 ragdash 测得。只看方向，不作门禁，且仅在同一次导入内比较。",
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
    "compare.slopes": ("How the gold chunk moved", "金标片段的名次如何变化"),
    "compare.slopes.lead": (
        "One line for each question that improved or regressed: final rank of its first gold "
        "chunk, best on top. A line opens its question.",
        "变好或变差的每题一条线：首个金标片段的最终名次，越靠上越好。点击线可打开该题。",
    ),
    "compare.slopes.none": (
        "No question with a gold chunk improved or regressed.",
        "没有带金标片段的题目变好或变差。",
    ),
    "compare.slopes.rank": ("Final rank of the gold chunk", "金标片段最终名次"),
    "compare.slopes.none_rank": ("not found", "未找到"),
    "compare.slopes.cut": ("the model sees the first {k}", "模型只看到前 {k} 个"),
    "compare.slopes.shown": (
        "{n} of {total} changed questions are drawn; {without} of them have no gold chunk in the "
        "index.",
        "共 {total} 题有变化，画出 {n} 题；其中 {without} 题在索引中没有金标片段。",
    ),
    "alt.slopes": (
        "Slope chart, final rank of the gold chunk on both sides. {items}.",
        "斜率图，两侧金标片段的最终名次。{items}。",
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
    "refusal.not_visible": ("not visible, the corpus is not known", "不可见，语料未知"),
    "refusal.not_told": (
        "not known: contexts or their pages not given",
        "未知：未给出上下文或其页码",
    ),
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
    "compare.layers.unscored": (
        "No question of these modes could be scored, so none is known to have failed.",
        "这些模式的题目均无法评分，因此无从得知是否有失败题。",
    ),
    "compare.layers.none": ("No question failed in any mode.", "没有任何模式失败。"),
    "compare.layer": ("Layer", "层"),
    "alt.shares": (
        "Points with 95% intervals by metric and mode. {items}.",
        "各指标各模式的点与 95% 区间。{items}。",
    ),
}
