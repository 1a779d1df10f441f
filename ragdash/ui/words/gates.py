"""Words of the Gates page: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "nav.gates": ("Gates", "门禁"),
    "nav.gates.help": ("Does a mode pass its rules.", "某一模式是否通过各项规则。"),
    "gates.title": ("Gates", "门禁"),
    "gates.lead": (
        "The verdict of ragdash gate, rule by rule. What was not measured is never a pass.",
        "与 ragdash gate 相同的结论，逐条列出。没有测得的，不算通过。",
    ),
    "gates.base": ("Held against", "对比基准"),
    "gates.base.tag": ("the tag baseline", "标签 baseline"),
    "gates.base.none": ("nothing: no tag baseline is set", "无：尚未设置标签 baseline"),
    "note.base.gates": (
        "The address names a base that does not exist or is this mode itself; the tag baseline is "
        "used.",
        "网址中的基准不存在，或就是当前模式本身，已改用标签 baseline。",
    ),
    "gates.refused": ("No verdict could be given.", "无法给出结论。"),
    "gates.against": ("against {base}", "对比 {base}"),
    "gates.alone": ("held against no base", "未与任何基准对比"),
    "gates.count": ("{n} {verdict}", "{n} 条{verdict}"),
    "gate.pass": ("passed", "通过"),
    "gate.fail": ("failed", "未通过"),
    "gate.unscored": ("unscored", "未评分"),
    "gate.not_comparable": ("not comparable", "不可比"),
    "gates.col.verdict": ("Verdict", "结论"),
    "gates.col.rule": ("Rule", "规则"),
    "gates.col.seen": ("Seen", "实测"),
    "gates.col.sure": ("Deterministic", "结果是否可复现"),
    "gates.rule.min": ("at least {bound}", "不低于 {bound}"),
    "gates.rule.max": ("at most {bound}", "不高于 {bound}"),
    "gates.rule.non_inferior": (
        "at most {bound} worse than the base",
        "与基准相比，最多差 {bound}",
    ),
    "gates.rule.interval": (", by the end of its 95% interval", "（按 95% 区间的端点）"),
    "gates.rule.few": ("from {n} scored questions on", "至少 {n} 题有分"),
    "gates.reason.not_measured": ("The run has no such metric.", "本运行没有该指标。"),
    "gates.reason.nothing_scored": ("No question could be scored.", "没有一题有分。"),
    "gates.reason.errors": (
        "{n} questions without a value: a measurement that failed never passes.",
        "有 {n} 题没有数值：测量失败不算通过。",
    ),
    "gates.reason.too_few": (
        "{n} scored, the rule asks for {least}.",
        "有 {n} 题有分，规则要求至少 {least} 题。",
    ),
    "gates.reason.too_few.both": (
        "Fewer than {least} questions are scored on both sides.",
        "双方均有分的题目不足 {least} 题。",
    ),
    "gates.reason.few_repeats": (
        "A judge's metric needs three repeats of every question.",
        "模型评判的指标须每题重复三次。",
    ),
    "gates.reason.judge_noise": (
        "The margin is within the noise of the judge.",
        "差距在评判的噪声之内。",
    ),
    "gates.reason.no_interval": ("Too few questions for an interval.", "题目太少，没有区间。"),
    "gates.reason.no_base": ("No baseline is set.", "尚未设置基准。"),
    "gates.reason.not_attributable": (
        "More than one factor differs from the base; Compare names them.",
        "与基准相比不止一个因素不同，见对比页。",
    ),
    "gates.reason.not_comparable": (
        "Other questions, gates or judge than the base; Compare says which.",
        "题集、判定代码或评判与基准不同，见对比页。",
    ),
    "gates.reason.incomplete": ("Rows of the run are missing.", "本运行缺行。"),
    "gates.rules.own": ("Rules: {path}.", "规则：{path}。"),
    "gates.rules.shipped": (
        "Rules: those shipped with ragdash, data/gates/default.toml; RAGDASH_RULES names your own.",
        "规则：ragdash 自带的 data/gates/default.toml；可用 RAGDASH_RULES 指定自己的规则。",
    ),
    "gates.codes": (
        "Exit codes: 0 passed, 1 failed, 2 not comparable or unscored.",
        "退出码：0 通过，1 未通过，2 不可比或未评分。",
    ),
    "gates.command": ("The same on the command line", "命令行得到同样的结论"),
    "gates.baseline": (
        "To let this mode be the baseline from now on, with the reason on record:",
        "把当前模式设为今后的基准，并记录理由：",
    ),
}
