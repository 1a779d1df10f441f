"""Words of the Funnel page: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "nav.funnel": ("Funnel", "漏斗"),
    "nav.funnel.help": (
        "At which step each mode loses the gold passage, and other fusions.",
        "各模式在哪一步丢失金标段落，以及其他融合设置。",
    ),
    "funnel.title": ("Funnel", "漏斗"),
    "funnel.lead": (
        "How far the gold passage of each question came, from the corpus to a right answer. A "
        "failed question was lost where its layer says, a person's verdict first.",
        "每题的金标段落走到了哪一步：从语料到答对。失败的题按其所在的层计入，人工判定优先。",
    ),
    "step.corpus": ("In the corpus", "在语料中"),
    "step.indexed": ("Indexed", "已入索引"),
    "step.dense": ("Dense candidates", "向量候选"),
    "step.bm25": ("BM25 candidates", "BM25 候选"),
    "step.fused": ("Candidates, fused", "候选（融合后）"),
    "step.reranked": ("Read by the reranker", "进入重排"),
    "step.context": ("In the context (top {k})", "进入上下文（前 {k}）"),
    "step.context.plain": ("In the context", "进入上下文"),
    "step.used": ("Used by the answer", "被回答采用"),
    "step.right": ("Right", "答对"),
    "step.corpus.help": (
        "Its document is known and has the evidence page.",
        "文件在语料中，且有该证据页。",
    ),
    "step.indexed.help": (
        "A chunk holds it so that it can be read.",
        "有片段完整可读地包含它。",
    ),
    "step.dense.help": ("The search by meaning returned it.", "语义检索返回了它。"),
    "step.bm25.help": ("The search by words returned it.", "词面检索返回了它。"),
    "step.fused.help": (
        "Either search returned it: it is in the fused list.",
        "任一检索返回了它，即在融合列表中。",
    ),
    "step.reranked.help": (
        "High enough in the fused list to be read.",
        "在融合列表中足够靠前，重排模型读到了它。",
    ),
    "step.context.help": (
        "Enough of it was shown to the generator: one page, or every page where a comparison or a "
        "calculation needs all.",
        "生成模型看到了足够的证据：一页即可；对比与计算题需要全部页。",
    ),
    "step.used.help": (
        "The answer cites its page, or states the gold figure or another figure printed there.",
        "回答引用了该页，或给出了金标数字，或给出了该处印有的其他数字。",
    ),
    "step.right.help": (
        "The outcome that holds is correct, people's verdicts taken in; answers that cannot be "
        "scored are left out of n.",
        "有效结果为答对（已计入人工判定）；无法评分的回答不计入 n。",
    ),
    "funnel.table": (
        "Passages kept and lost at each step, by mode",
        "各模式每一步保留与丢失的段落",
    ),
    "funnel.col.step": ("Step", "步骤"),
    "funnel.lost": ("lost here: {n}", "在此丢失：{n}"),
    "funnel.missed": ("missed, found by the other search: {n}", "未返回、另一路检索到：{n}"),
    "funnel.absent": ("not part of this mode", "此模式没有这一步"),
    "funnel.untold": ("not recorded: {n}", "未记录：{n}"),
    "funnel.nowhere": ("Not recorded in any mode", "各模式均未记录"),
    "funnel.unrecorded": ("not recorded in this run", "本运行未记录"),
    "funnel.kept.chart": ("How far the passage came", "段落走到了哪一步"),
    "funnel.kept.axis": ("share of questions with evidence pages", "占有证据页题目的比例"),
    "funnel.kept.alt": (
        "Bars of the share of passages kept up to each step, by mode, with 95% intervals: {items}.",
        "各模式每一步保留段落比例的条形图（含 95% 区间）：{items}。",
    ),
    "funnel.lost.chart": ("Where it was lost", "段落丢失在哪一步"),
    "funnel.lost.axis": ("questions lost at this step", "在该步丢失的题数"),
    "funnel.lost.alt": (
        "Bars of questions lost at each step, by mode: {items}.",
        "各模式每一步丢失题数的条形图：{items}。",
    ),
    "funnel.open.hint": (
        "A number or a bar opens its questions in Triage.",
        "点击数字或条形，即在分诊页打开这些题。",
    ),
    "funnel.apart": ("Counted apart", "另计"),
    "funnel.apart.n": ("Followed: answerable, with evidence pages", "纳入漏斗：可回答且有证据页"),
    "funnel.apart.no_qrels": (
        "Answerable, and nothing to follow: no evidence pages, or no retrieval recorded",
        "可回答但无从追踪：没有证据页，或未记录检索",
    ),
    "funnel.apart.unanswerable": (
        "Not answerable from the filings: refusing is right",
        "文件无法回答：拒答即为正确",
    ),
    "funnel.apart.open": (
        "Came through, and the answer cannot be scored",
        "走完全程，但回答无法评分",
    ),
    "funnel.apart.anyway": (
        "Answered right although the passage was lost, or was not seen to be used",
        "段落已丢失或未见采用，却仍答对",
    ),
    "funnel.apart.table": ("Questions outside the funnel, by mode", "漏斗之外的题目（按模式）"),
    "funnel.none": (
        "No answerable question of this run has evidence pages, so there is no passage to follow. "
        'Evidence pages stand in the question set: "evidence": [{"doc_id": ..., "page": ...}].',
        "本运行没有带证据页的可回答题目，因此没有可追踪的段落。证据页写在题集里："
        '"evidence": [{"doc_id": ..., "page": ...}]。',
    ),
    # which questions a link of this page opens in Triage
    "lost.corpus": ("lost: not in the corpus", "丢失：不在语料中"),
    "lost.indexed": ("lost: not indexed", "丢失：未入索引"),
    "lost.candidates": ("lost: no candidate", "丢失：不在候选中"),
    "lost.reranked": ("lost: not read by the reranker", "丢失：未进入重排"),
    "lost.context": ("lost: below the cut", "丢失：未进入上下文"),
    "lost.used": ("lost: not used by the answer", "丢失：未被回答采用"),
    "lost.right": ("lost: used, and not right", "丢失：被采用但未答对"),
    "lost.dense": ("missed by the dense search", "向量检索未返回"),
    "lost.bm25": ("missed by BM25", "BM25 未返回"),
    "lost.open": ("came through, cannot be scored", "走完全程但无法评分"),
    "lost.no_qrels": ("no passage to follow", "无段落可追踪"),
    "lost.anyway": ("right without its passage", "无段落仍答对"),
    "kept.corpus": ("passage in the corpus", "段落在语料中"),
    "kept.indexed": ("passage indexed", "段落已入索引"),
    "kept.candidates": ("passage among the candidates", "段落在候选中"),
    "kept.reranked": ("passage read by the reranker", "段落进入重排"),
    "kept.context": ("passage in the context", "段落进入上下文"),
    "kept.used": ("passage used by the answer", "段落被回答采用"),
    "kept.right": ("came through, right", "走完全程并答对"),
    "kept.dense": ("passage found by the dense search", "向量检索返回了段落"),
    "kept.bm25": ("passage found by BM25", "BM25 返回了段落"),
    # ablation
    "ablation.title": ("Other fusions and cut-offs", "其他融合与截断"),
    "ablation.lead": (
        "From the stored ranks of this run: where the gold chunk would have stood. Nothing is "
        "retrieved or generated again, so no answer is judged here.",
        "由本运行已存的名次重算：金标片段会排在哪里。不重新检索也不重新生成，因此不评判回答。",
    ),
    "ablation.none": (
        "No ablation of this run version is in the store. This computes one in seconds:",
        "存储中没有本运行此版本的消融结果。执行下面的命令，几秒即可算出：",
    ),
    "ablation.none.mode": (
        "This run has no mode with a fusion, so there is nothing to ablate.",
        "本运行没有带融合的模式，无可消融。",
    ),
    "ablation.command": (
        "Another grid, and it is kept beside this one:",
        "换一个网格，并与此并存：",
    ),
    "note.grid": (
        "The address names an ablation that this run version does not have; the newest is shown.",
        "网址中的消融结果不属于本运行的这一版本，已改为显示最新的一次。",
    ),
    "ablation.pick": ("Ablation", "消融"),
    "ablation.option": ("{mode}, {when}, {n} settings", "{mode}，{when}，{n} 组设置"),
    "ablation.n": (
        "{n} questions with evidence pages; {without} without are left out.",
        "{n} 题有证据页；另有 {without} 题没有，未计入。",
    ),
    "ablation.chart": ("Hits and MRR over the grid", "网格上的命中与 MRR"),
    "ablation.k": ("k of the fusion", "融合的 k"),
    "ablation.row": (
        "{weights} · {candidates} · top {top_k}",
        "{weights} · {candidates} · 前 {top_k}",
    ),
    "ablation.row.help": (
        "Rows: weights dense:BM25 · candidates of each search · chunks in the context. In a cell: "
        "hits of n, and MRR. The frame is the run's own setting.",
        "行：权重 向量:BM25 · 每路候选数 · 进入上下文的片段数。格内为命中/题数与 MRR。"
        "带框的是本运行自己的设置。",
    ),
    "ablation.cell": (
        "k {k}, {row}: {hits}/{n} hit, MRR {mrr}",
        "k {k}，{row}：命中 {hits}/{n}，MRR {mrr}",
    ),
    "ablation.alt": ("Grid of an ablation: {items}.", "消融网格：{items}。"),
    "ablation.cut": (
        "The chart shows the first {n} rows of {total}; the table has them all.",
        "图中只显示 {total} 行中的前 {n} 行，表格中列出全部。",
    ),
    "ablation.choices": ("The best, and what it is worth", "最优设置及其可信度"),
    "ablation.choices.table": (
        "The best setting, and its choice without each question",
        "最优设置与逐题留一的选择",
    ),
    "ablation.col.top_k": ("Top k", "前 k"),
    "ablation.col.best": ("Best over all questions", "全部题目上的最优"),
    "ablation.col.hits": ("Its hits on the same questions", "在同样题目上的命中"),
    "ablation.col.left_out": (
        "Chosen without each question, hits on that one",
        "留一选择，对留出题的命中",
    ),
    "ablation.col.own": ("The run's own setting", "本运行的设置"),
    "ablation.col.changes": ("Questions that change", "发生变化的题"),
    "ablation.overfit": ("A grid over {n} questions overfits", "{n} 题上的网格会过拟合"),
    "ablation.overfit.body": (
        "It finds what fits the noise of these questions. Trust the left-out count rather than the "
        "best one, and confirm with a run over other questions.",
        "它找到的是最贴合这些题噪声的设置。应看留一的命中数而非最优的命中数，"
        "并用另一批题目重新运行来确认。",
    ),
    "ablation.undecided": (
        "Open: a setting would rerank chunks that the run never did, and only a new run can tell. "
        "{n} of {total} settings are open in every question and not listed.",
        "未定：该设置会重排本运行没有重排过的片段，只有重新运行才知道。"
        "{total} 组设置中有 {n} 组在所有题上都未定，未列出。",
    ),
    "ablation.table": ("Every setting of the grid", "网格中的全部设置"),
    "ablation.col.k": ("k", "k"),
    "ablation.col.weights": ("Weights dense:BM25", "权重 向量:BM25"),
    "ablation.col.candidates": ("Candidates", "候选数"),
    "ablation.col.hit": ("Hit@k", "Hit@k"),
    "ablation.col.mrr": ("MRR", "MRR"),
    "ablation.col.gained": ("Gained", "新命中"),
    "ablation.col.lost": ("Lost", "丢失"),
    "ablation.col.open": ("Open", "未定"),
    "ablation.own": ("run's own", "本运行"),
    "ablation.best": ("best", "最优"),
    "ablation.gains": ("gains", "新命中"),
    "ablation.loses": ("loses", "丢失"),
    "ablation.same": ("none", "无"),
}
