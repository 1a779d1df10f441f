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
}
