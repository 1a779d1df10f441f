"""Words of the Runs page: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
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
    "runs.imported": ("imported: {system}", "导入：{system}"),
    "runs.top_k": ("top k {k}", "top k {k}"),
    "runs.tag.version": (", version {n}", "，第 {n} 版"),
    "runs.tag.why": ("{reason} ({author})", "{reason}（{author}）"),
    "runs.tick": ("Tick runs", "勾选运行"),
    "runs.tick.hint": (
        "One to make it the baseline, two to hold them side by side",
        "勾选一个可设为基准，勾选两个可并排对比",
    ),
    "runs.tick.table": ("{newer} against {older}", "{newer} 对比 {older}"),
    "runs.tick.apart": (
        "The two runs asked different question sets, so that no question pairs.",
        "两次运行的题集不同，没有可配对的题目。",
    ),
    "runs.tick.no_mode": ("The two runs have no mode in common.", "两次运行没有共同的模式。"),
    "note.run.ticked": (
        "The address ticks a run that is not on this page of the list; it is ignored.",
        "网址中勾选的运行不在本页列表中，已忽略。",
    ),
    "runs.baseline.lead": (
        "The baseline is what gates compare with. What it stood for before stays on record.",
        "基准是各项门禁的比较对象；此前的基准会保留在记录中。",
    ),
    "runs.baseline.of": ("Mode", "模式"),
    "runs.baseline.author": ("Your name", "你的名字"),
    "runs.baseline.reason": ("Reason", "理由"),
    "runs.baseline.set": ("Make it the baseline", "设为基准"),
    "runs.baseline.no_author": ("Say who sets it.", "请填写名字。"),
    "runs.baseline.no_reason": (
        "Say why; a baseline without a reason is not kept.",
        "请填写理由；没有理由的基准不会保存。",
    ),
    "runs.baseline.refused": ("The baseline was not set.", "基准未设置。"),
}
