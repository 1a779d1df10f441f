"""Our own words in an exported report: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "lang": ("en", "zh-CN"),
    "title": ("ragdash report: {ref}", "ragdash 报告：{ref}"),
    "rows": ("{n} of {total} rows (mode and question)", "{total} 行（模式与题目）中的 {n} 行"),
    "rows.all": ("All {total} rows (mode and question)", "全部 {total} 行（模式与题目）"),
    "filter": ("Filter", "筛选条件"),
    "base": ("Base", "基准"),
    "fact.run": ("Run", "运行"),
    "fact.version": ("Version", "版本"),
    "fact.started": ("Started", "开始时间"),
    "fact.corpus": ("Corpus", "语料"),
    "fact.questions": ("Questions", "题集"),
    "fact.imported": ("Imported from", "导入自"),
    "fact.config": ("Configuration", "配置"),
    "fact.generator": ("Generator", "生成器"),
    "fact.judge": ("Judge", "评判"),
    "people": (
        "Outcomes and layers are those that hold: people's where they said so, and the rule's word "
        "stands beside them. {reviews} reviews and {checks} spot checks concern these rows.",
        "结果与层以人工判定为准，规则的判定并列其旁。与这些行有关的有 {reviews} 条复核、"
        "{checks} 条口径抽查。",
    ),
    "judge.errors": (
        "{k} of {n} measurements of the judge failed: its means are over the others.",
        "{n} 次评判中有 {k} 次失败，均值只计其余各次。",
    ),
    "none": ("No row matches the filter.", "没有符合筛选条件的行。"),
    "chart.headline": (
        "Answer accuracy over these rows: right of those scored, with the 95% interval",
        "这些行的回答准确率：已评分题目中答对的比例及其 95% 区间",
    ),
    "chart.headline.listed": (
        "Answer accuracy over the listed rows only, and under each the whole run: right of those "
        "scored, with the 95% interval",
        "仅所列各行的回答准确率，其下为整个运行：已评分题目中答对的比例及其 95% 区间",
    ),
    "chart.whole": ("whole run", "整个运行"),
    "chart.headline.row": ("{k}/{n}, {left} not scored", "{k}/{n}，{left} 题未评分"),
    "chart.headline.none": ("nothing scored of {left}", "{left} 题均未评分"),
    "chart.outcomes": ("Answers by mode", "各模式的作答结果"),
    "chart.abstained": (
        "Abstentions by mode: a cost where wrong, shown apart",
        "各模式的拒答：误拒答是代价，单独列出",
    ),
    "chart.layers": ("Where questions were lost, by mode", "各模式的题目在哪一层丢失"),
    "chart.none": ("none", "无"),
    "table": ("Rows", "明细"),
    "col.mode": ("Mode", "模式"),
    "col.question": ("Question", "题目"),
    "col.gold": ("Gold", "标准答案"),
    "col.answer": ("Answer", "答案"),
    "col.outcome": ("Outcome", "结果"),
    "col.layer": ("Lost at", "丢失层"),
    "col.scores": ("Scores", "评分"),
    "col.people": ("What people said", "人工意见"),
    "by": ("by {name}", "{name} 判定"),
    "rule": ("rule: {word}", "规则：{word}"),
    "rank": ("gold rank {rank}", "金标排名 {rank}"),
    "try": ("Try: {what}", "可尝试：{what}"),
    "no_help": ("Will not help: {what}", "无助于此：{what}"),
    "citations": ("Citations", "引用"),
    "raw": ("Raw reply", "原始回复"),
    "scores": ("{n} metrics", "{n} 项指标"),
    "repeats": ("{n} repeats", "重复 {n} 次"),
    "review": ("Review by {name}, {at}: {verdict}", "{name} 的复核（{at}）：{verdict}"),
    "check": (
        "Caliber check by {name}, {at}: {fit}, {confidence} confidence; asked {asked}, "
        "gold {gold}, answered {answered}",
        "{name} 的口径抽查（{at}）：{fit}，置信度{confidence}；所问{asked}，标准答案{gold}，"
        "所答{answered}",
    ),
    "page": ("page {page} of {doc}", "{doc} 第 {page} 页"),
    "blind": ("blind", "盲评"),
    "flagged": ("flagged", "已标记"),
    "superseded": ("superseded by its author", "已被本人更新"),
    "no_verdict": ("no verdict", "未判定"),
    "disputed": ("people differ", "多人意见不一"),
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
    "layer.no_fault": ("not lost", "未丢失"),
    "layer.none": ("not lost", "未失败"),
    "status.not_applicable": ("does not apply", "不适用"),
    "status.undefined": ("input missing", "缺少输入"),
    "status.error": ("measurement failed", "度量失败"),
    "kind.lookup": ("lookup", "查数"),
    "kind.compare": ("compare", "对比"),
    "kind.computed": ("computed", "计算"),
    "kind.text": ("text", "文字"),
    "scope.consolidated": ("consolidated", "合并"),
    "scope.parent": ("parent company", "母公司"),
    "scope.segment": ("segment", "分部"),
    "scope.product": ("product", "产品"),
    "attribution.归母": ("attributable to the parent's owners", "归母"),
    "attribution.扣非": ("without non-recurring items", "扣非"),
    "fit.fits": ("fits", "相符"),
    "fit.conflict": ("conflict", "口径不符"),
    "fit.unclear": ("unclear", "无法判断"),
    "fit.needs_review": ("needs review", "待复核"),
    "fit.not_checked": ("not checked", "未核对"),
    "confidence.high": ("high", "高"),
    "confidence.medium": ("medium", "中"),
    "confidence.low": ("low", "低"),
    "caliber.consolidated": ("consolidated", "合并"),
    "caliber.parent_company": ("parent alone", "母公司"),
    "caliber.attributable": ("attributable to the parent's owners", "归母"),
    "caliber.without_one_off": ("without one-offs", "扣非"),
    "caliber.segment": ("segment", "分部"),
    "caliber.product": ("product", "产品"),
    "caliber.region": ("region", "地区"),
    "caliber.restated": ("restated", "重述后"),
    "caliber.other_period": ("another period", "其他期间"),
    "caliber.other_metric": ("another metric", "其他指标"),
    "caliber.other": ("another caliber", "其他口径"),
    "caliber.not_stated": ("not stated", "未说明"),
}


def say(key: str, lang: str, **values: object) -> str:
    """Return a string in a language ("en" or "zh"); values are put in as they are."""
    english, chinese = WORDS[key]
    text = chinese if lang == "zh" else english
    return text.format(**values) if values else text


def term(group: str, code: str | None, lang: str) -> str:
    """Return the word for a stored code, the code itself where none is known."""
    key = f"{group}.{code or 'none'}"
    return say(key, lang) if key in WORDS else str(code).replace("_", " ")
