"""Words of the codes of spot checks: risks, states, verdicts, calibers: English, Chinese."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "risk.comparison": ("comparison", "对比题"),
    "risk.part_of_total": ("part of a total", "部分与合计"),
    "risk.parent_or_group": ("parent or group", "母公司与合并"),
    "risk.attribution": ("attribution, one-offs", "归母与扣非"),
    "risk.restated": ("restated year", "重述年度"),
    "risk.near_miss": ("near miss", "接近未命中"),
    "risk.unlabelled": ("no label found", "未见标签"),
    "risk.none": ("no risk seen", "未见风险"),
    "risk_help.comparison": ("Several figures are compared.", "需要对比多个数字。"),
    "risk_help.part_of_total": (
        "The gold is that of a segment or product, or question or answer name one.",
        "金标属于分部或产品，或题目、回答中提到分部、产品或地区。",
    ),
    "risk_help.parent_or_group": (
        "The parent company is asked for or named, or a visible passage holds its own statements.",
        "问到或提到母公司，或可见片段含母公司报表。",
    ),
    "risk_help.attribution": (
        "Profit to the parent's owners, or without one-off items.",
        "涉及归母或扣非口径的利润。",
    ),
    "risk_help.restated": (
        "The figure is of a year before the report it stands in, or something was restated.",
        "数字的年度早于其所在报告，或涉及追溯调整、重述。",
    ),
    "risk_help.near_miss": (
        "The number is within 10% of the gold yet no match, and the model's signal for "
        "faithfulness is 0.8 or more; or the figure may be that of a sibling metric: another "
        "caliber of the same item, such as 扣非 where 归母 was asked.",
        "数字与金标相差 10% 以内却未命中，且忠实度信号不低于 0.8；"
        "或数字可能属于相邻口径：同一项目的另一口径，如问归母而答扣非。",
    ),
    "risk_help.unlabelled": (
        "The number is right, and no label beside it says which caliber it has.",
        "数字正确，但旁边没有说明口径的标签。",
    ),
    "risk_help.none": (
        "Nothing that is stored makes another caliber likely; one in five of these is drawn.",
        "已存内容未显示口径风险；这类题每五题抽一题。",
    ),
    "state.open": ("open", "待核对"),
    "state.once": ("checked once", "一人已核对"),
    "state.twice": ("checked twice", "两人一致"),
    "state.disputed": ("disputed", "有分歧"),
    "state.mine": ("mine", "我已核对"),
    "state.locked": ("locked", "占用中"),
    "fit.fits": ("Fits", "相符"),
    "fit.conflict": ("Conflict", "口径不符"),
    "fit.unclear": ("Unclear", "无法判断"),
    "confidence.high": ("high", "高"),
    "confidence.medium": ("medium", "中"),
    "confidence.low": ("low", "低"),
    "caliber.consolidated": ("consolidated", "合并"),
    "caliber.parent_company": ("parent alone", "母公司"),
    "caliber.attributable": ("to the parent's owners", "归母"),
    "caliber.without_one_off": ("without one-offs", "扣非"),
    "caliber.segment": ("segment", "分部"),
    "caliber.product": ("product", "产品"),
    "caliber.region": ("region", "地区"),
    "caliber.restated": ("restated", "重述后"),
    "caliber.other_period": ("another period", "其他期间"),
    "caliber.other_metric": ("another metric", "其他指标"),
    "caliber.other": ("another caliber", "其他口径"),
    "caliber.not_stated": ("not stated", "未说明"),
    "rule.fits": ("fits", "相符"),
    "rule.conflict": ("conflict", "不符"),
    "rule.needs_review": ("needs review", "待人工"),
    "rule.not_checked": ("not checked", "未检查"),
}
