"""Words of the Judge page, the judge's repeats and calls to endpoints: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
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
    "judging.col.gate": ("■ Numeric gate passed", "■ 通过数值门禁"),
    "judging.col.faithfulness": ("≈ Faithfulness of these", "≈ 这些回答的忠实度"),
    "judging.col.believed": (
        "Failed the gate, every claim supported",
        "未过门禁，却断言全部有据",
    ),
    "judging.col.doubted": ("Passed the gate, faithfulness under 1", "通过门禁，忠实度却低于 1"),
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
    "judging.agreement": ("Agreement with the numeric gate", "与数值门禁的一致性"),
    "judging.lesson": ("Faithful is not right.", "忠实不等于正确。"),
    "judging.lesson.body": (
        "A claim is supported when a chunk says so, and chunks also print last year's figure, the "
        "parent company's and the other company's. A judge that says supported to everything gives "
        "1.00 below; the gate still fails the wrong figures beside it.",
        "只要片段里写了，断言就算有据；而片段里也印着上年数、母公司数和别家公司的数。"
        "对一切都说“有据”的评判会给出 1.00，而旁边的门禁照样让错误数字不通过。",
    ),
    "judging.spread": ("How far its repeats lie apart", "多次评判相差多少"),
    "judging.spread.once": (
        "Every question was asked once, so nothing is known of the judge's own noise. Put "
        "repeats = 3 under [judge] and run ragdash rescore.",
        "每题只问了一次，无从得知评判自身的噪声。"
        "在 [judge] 下写 repeats = 3，再执行 ragdash rescore。",
    ),
    "judging.spread.lead": (
        "Questions by the standard deviation of their repeats; 0 is a judge that said the same "
        "every time.",
        "按各题多次评判的标准差统计题数；0 表示每次说法相同。",
    ),
    "judging.spread.x": ("sd of a question's repeats", "一题多次评判的标准差"),
    "judging.spread.y": ("questions", "题数"),
    "judging.spread.alt": (
        "Columns of questions by the standard deviation of their repeats, by mode: {items}.",
        "按标准差与模式统计题数的柱形图：{items}。",
    ),
    "judging.spread.widest": ("Questions with the widest repeats", "相差最大的题"),
    "judging.spread.widest.note": (
        "The {n} widest of each metric.",
        "每个指标列出相差最大的 {n} 题。",
    ),
    "judging.spread.question": ("Question", "题目"),
    "judging.spread.metric": ("Signal", "信号"),
    "judging.spread.mode": ("Mode", "模式"),
    "judging.spread.values": ("Every repeat", "各次评判"),
    "judging.spread.sd": ("sd", "标准差"),
    "judging.failing": ("Failed measurements by reason", "失败的评判（按原因）"),
    "judging.failing.lead": (
        "Of all measurements that were tried, over all judge metrics and repeats. A failed one is "
        "left out of the means and never counted as 0.",
        "分母为全部尝试过的评判（所有评判指标与重复）。失败者不计入均值，也不当作 0。",
    ),
    "judging.failing.reason": ("Reason", "原因"),
    "judging.failing.parse": ("Parse failures, together", "解析失败合计"),
    "judging.failing.kind.parse": ("a reply that could not be read", "有回复但无法读取"),
    "judging.failing.kind.other": ("no reply to read", "没有可读取的回复"),
    "judging.crossed": ("Judge against gate", "评判与门禁对照"),
    "judging.crossed.lead": (
        "Each answer that the numeric gate decided: did the judge say high (a mean from {at} on) "
        "where the gate says right?",
        "逐一对照数值门禁已判定的回答：门禁判对之处，评判是否给了高分（均值不低于 {at}）？",
    ),
    "judging.crossed.none": (
        "No answer was both judged and decided by the numeric gate.",
        "没有既被评判又被数值门禁判定的回答。",
    ),
    "judging.crossed.metric": ("Signal and mode", "信号与模式"),
    "judging.crossed.high_right": ("High, right", "高分，门禁判对"),
    "judging.crossed.high_wrong": ("High, wrong", "高分，门禁判错"),
    "judging.crossed.low_right": ("Low, right", "低分，门禁判对"),
    "judging.crossed.low_wrong": ("Low, wrong", "低分，门禁判错"),
    "judging.crossed.agree": ("Agree", "一致"),
    "judging.crossed.kappa": ("Cohen's kappa", "Cohen's kappa"),
    "judging.crossed.no_variation": (
        "no variation: both say one thing throughout",
        "无变化：双方始终只说一种结果",
    ),
    "judging.crossed.no_pairs": ("nothing to compare", "无可对照"),
    "judging.crossed.note": (
        "Kappa takes away the agreement that chance alone would give: 0 is no better than chance, "
        "1 is always. High and wrong are the answers that a judge alone would have let through.",
        "Kappa 扣除了仅凭偶然也会有的一致：0 不优于偶然，1 为完全一致。"
        "“高分，门禁判错”正是只靠评判会放过的回答。",
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
}
