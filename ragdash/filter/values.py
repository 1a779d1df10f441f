"""The codes of each field with their other spellings; a spelling may stand for several codes."""

from __future__ import annotations

from ragdash.core.diagnosis import Layer
from ragdash.core.question import QuestionKind
from ragdash.core.retrieval import Mode
from ragdash.core.review import Verdict
from ragdash.core.run import Outcome
from ragdash.core.score import ScoreStatus
from ragdash.core.spot_check import RuleVerdict

Codes = dict[str, tuple[str, ...]]
NONE = "none"
NOBODY = {NONE: ("无", "未判定")}
YES_NO: Codes = {
    "yes": ("是", "有", "true", "1"),
    "no": ("否", "无", "false", "0"),
}
OUTCOMES: Codes = {
    Outcome.CORRECT.value: ("答对", "正确", "对"),
    Outcome.WRONG.value: ("答错", "错误", "错"),
    Outcome.ABSTAINED_RIGHT.value: ("正确拒答", "拒答", "abstained"),
    Outcome.ABSTAINED_WRONG.value: ("误拒答", "拒答", "abstained"),
    Outcome.ERROR.value: ("出错",),
    Outcome.UNSCORED.value: ("未评分",),
}
LAYERS: Codes = {
    Layer.INGEST.value: ("入库",),
    Layer.RECALL.value: ("召回",),
    Layer.RANKING.value: ("排序",),
    Layer.GENERATION.value: ("生成",),
    Layer.BUSINESS.value: ("业务口径", "业务", "caliber"),
    Layer.UNDETERMINED.value: ("无法判定",),
    NONE: ("未失败", "无", "not_lost"),
}
VERDICTS: Codes = {
    **{code: LAYERS[code] for code in LAYERS if code != NONE},
    Verdict.NO_FAULT.value: ("未丢失", "not_lost"),
    **NOBODY,
}
CALIBERS: Codes = {
    RuleVerdict.FITS.value: ("口径相符", "相符", "符合", "1"),
    RuleVerdict.CONFLICT.value: ("口径不符", "冲突", "不符", "0"),
    RuleVerdict.NEEDS_REVIEW.value: ("待复核", "review"),
    RuleVerdict.NOT_CHECKED.value: ("未核对", "none"),
}
CHANGES: Codes = {
    "regressed": ("变差", "退步", "worse"),
    "improved": ("变好", "进步", "better"),
    "same": ("不变", "相同"),
    "not_comparable": ("不可比",),
}
STATES: Codes = {
    "answered": ("作答",),
    "refused": ("拒答",),
    "answerable": ("可答",),
    "unanswerable": ("无答案",),
    "failed": ("失败", "未答对"),
    "lost": ("丢失",),
    "seen": ("证据可见",),
    "reviewed": ("已复核",),
    "unreviewed": ("待复核",),
    "flagged": ("已标记",),
    "checked": ("已抽查",),
    "disputed": ("意见不一",),
    "flaky": ("评分不稳",),
}
LOST: Codes = {
    "corpus": ("不在语料",),
    "indexed": ("未入索引",),
    "candidates": ("未成候选",),
    "reranked": ("未进重排",),
    "context": ("未进上下文",),
    "used": ("未被使用",),
    "right": ("用而未对",),
    "dense": ("向量未返回",),
    "bm25": ("BM25未返回",),
    "open": ("无从判断",),
    "no_qrels": ("无证据页",),
    "anyway": ("仍答对",),
}
KEPT: Codes = {
    "corpus": ("在语料",),
    "indexed": ("在索引",),
    "candidates": ("成候选",),
    "reranked": ("进重排",),
    "context": ("进上下文",),
    "used": ("被使用",),
    "right": ("答对",),
    "dense": ("向量返回",),
    "bm25": ("BM25返回",),
}
STATUSES: Codes = {
    ScoreStatus.SCORED.value: ("已评分",),
    ScoreStatus.NOT_APPLICABLE.value: ("不适用",),
    ScoreStatus.UNDEFINED.value: ("缺少输入", "未定义"),
    ScoreStatus.ERROR.value: ("度量失败", "出错"),
}
# With the tags that an import takes for them.
LANGUAGES: Codes = {
    "zh": ("中文", "chinese", "zh-cn", "zh-hans", "zh-tw", "zh-hant", "zh-hk"),
    "en": ("英文", "english", "en-us", "en-gb"),
}
KINDS: Codes = {
    QuestionKind.LOOKUP.value: ("查数",),
    QuestionKind.COMPARE.value: ("对比",),
    QuestionKind.COMPUTED.value: ("计算",),
    QuestionKind.TEXT.value: ("文字",),
}
MODES: Codes = {
    Mode.DENSE.value: ("向量",),
    Mode.HYBRID.value: ("混合",),
    Mode.RERANK.value: ("重排",),
}
