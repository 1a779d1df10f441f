"""Words of the Triage page: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
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
}
