"""Words of the filter box and of downloads: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "where": ("Filter", "筛选条件"),
    "where.help": ("What can be asked", "可用的条件"),
    "where.lead": (
        "Conditions beside each other must all hold; OR between them, - or NOT before one, "
        "brackets around several. Text without a field is looked for in question and answer. "
        "Width and case of letters make no difference.",
        "并列的条件须同时成立；用 OR 或“或”表示任一，条件前加 - 或“非”表示相反，可用括号分组。"
        "不带字段的文字在题目与答案中查找。全角半角与大小写不作区分。",
    ),
    "where.missing": (
        "A number that is missing is neither above nor below: judge<0.5 and -judge<0.5 both leave "
        "it out, and no:judge lists it.",
        "缺失的数字既不算高也不算低：评审<0.5 与 -评审<0.5 都不列出，用 无:评审 查找。",
    ),
    "where.without": (
        "The list is shown without this filter; the other filters hold.",
        "列表未使用此条件，其余筛选仍然有效。",
    ),
    "where.meant": (
        "{word} was looked for as text; did you mean {term}?",
        "{word} 按文字查找；是否指 {term}？",
    ),
    "where.no_base": (
        "change needs a base: open the list from Compare, or add &base=RUN:mode to the address.",
        "change 需要基准：请从“模式对比”页打开列表，或在地址中加上 &base=运行:模式。",
    ),
    "where.unmeasured": (
        "This run has no value of {names}, so a condition on it holds for no question.",
        "本次运行没有 {names} 的值，因此相应条件不会列出任何题目。",
    ),
    "where.col.field": ("Field", "字段"),
    "where.col.means": ("Meaning", "含义"),
    "where.col.values": ("Values", "取值"),
    "where.table": ("Fields of the filter", "筛选字段"),
    "where.examples": ("Examples", "示例"),
    "download": ("Download", "下载"),
    "download.rows": (
        "The {n} rows of this list (mode and question), each whole: answer, reasons, scores, "
        "reviews and reviewers.",
        "此列表的 {n} 行（模式与题目），内容完整：答案、原因、评分、复核与复核人。",
    ),
    "download.csv": ("CSV, for spreadsheets", "CSV（电子表格）"),
    "download.parquet": ("Parquet, typed", "Parquet（带类型）"),
    "download.jsonl": ("JSON lines, with passages", "JSON lines（含片段）"),
    "download.html": ("Report, one HTML file", "报告（单个 HTML 文件）"),
    "download.command": (
        "The same bytes from the command line:",
        "命令行得到完全相同的文件：",
    ),
}
