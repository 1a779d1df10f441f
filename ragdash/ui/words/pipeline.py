"""Words of the attacks that went through a retriever: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "pipeline.title": ("Attacks through the retriever", "经过检索器的攻击"),
    "pipeline.lead": (
        "{n} hostile passages were put beside the {chunks} chunks of a copy of {corpus}; "
        "the corpus itself is unchanged. Trust comes from registered digests and the channel.",
        "在 {corpus} 的副本的 {chunks} 个片段旁放入 {n} 个恶意段落；语料本身未改动。"
        "是否可信由已登记的摘要与来源渠道推出。",
    ),
    "pipeline.none": (
        "No hostile passage of this run went through a retriever. This does it:",
        "本次运行没有恶意段落经过检索器。用下面的命令可以做到：",
    ),
    "pipeline.other": ("Open the newest run that did", "打开最近一次经过检索器的运行"),
    "pipeline.ended": ("Where each attack ended", "每次攻击止于何处"),
    "pipeline.ended.lead": (
        "Each attack is counted once, at the last stage that it reached, with the 95% interval. "
        "“Generator alone” has no policy behind it.",
        "每次攻击只在其到达的最后阶段计一次，附 95% 区间。“仅生成器”之后没有策略。",
    ),
    "pipeline.mode": ("Mode", "模式"),
    "pipeline.policy": ("Policy", "策略"),
    "pipeline.alone": ("Generator alone", "仅生成器"),
    "poison_stage.not_retrieved": ("Not retrieved", "未被检索到"),
    "poison_stage.retrieved": ("Retrieved", "被检索到"),
    "poison_stage.in_context": ("In context", "进入上下文"),
    "poison_stage.in_answer": ("In the answer", "进入答案"),
    "pipeline.byclass": ("In the answer, by class", "进入答案的攻击，按类别"),
    "pipeline.ranks": ("What retrieval did with them", "检索如何对待它们"),
    "pipeline.ranks.lead": (
        "In how many attacks a hostile passage stood first at each stage, what share of the shown "
        "passages was hostile, and what became of the gold.",
        "有多少次攻击的恶意段落在各阶段排第一，所示段落中恶意段落占多少，金标片段又如何。",
    ),
    "poison_rank.dense_rank": ("First in dense", "稠密排第一"),
    "poison_rank.bm25_rank": ("First in BM25", "BM25 排第一"),
    "poison_rank.fused_rank": ("First in fusion", "融合排第一"),
    "poison_rank.rerank_rank": ("First in rerank", "重排排第一"),
    "poison_rank.context_rank": ("First in context", "上下文排第一"),
    "pipeline.share": ("Hostile share", "恶意段落占比"),
    "pipeline.worse": ("Gold further down", "金标排名下降"),
    "pipeline.lost": ("Gold left the context", "金标离开上下文"),
    "pipeline.cases": ("Every case in one mode", "一种模式下的全部用例"),
    "pipeline.cases.lead": (
        "The best rank of a hostile passage at each stage; the gold's rank without and with them; "
        "the last stage under each policy.",
        "恶意段落在各阶段的最好名次；没有与有恶意段落时金标的名次；各策略下到达的最后阶段。",
    ),
    "pipeline.case": ("Case", "用例"),
    "pipeline.class": ("Class", "类别"),
    "place.dense_rank": ("Dense", "稠密"),
    "place.bm25_rank": ("BM25", "BM25"),
    "place.fused_rank": ("Fusion", "融合"),
    "place.rerank_rank": ("Rerank", "重排"),
    "place.context_rank": ("Context", "上下文"),
    "pipeline.gold": ("Gold without → with", "金标：无 → 有"),
    "pipeline.harmless": ("not an attack", "不是攻击"),
    "pipeline.page": ("Page of cases", "用例页"),
}
