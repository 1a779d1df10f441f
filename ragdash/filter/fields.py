"""What can be asked for, in one place: page, README, messages and queries read this table."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ragdash.core.diagnosis import Sentence
from ragdash.core.score import GIVEN, MetricKind
from ragdash.filter import values
from ragdash.metrics import METRICS
from ragdash.store.folding import folded

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kind(StrEnum):
    """What a field's values are.

    code: one of a closed list. text: found anywhere within. id: whole, `*` for any characters.
    number: compared. metric: the mean over the repeats, or a status. state: a property that a row
    has. presence: the name of a field that has a value.
    """

    CODE = "code"
    TEXT = "text"
    ID = "id"
    NUMBER = "number"
    METRIC = "metric"
    STATE = "state"
    PRESENCE = "presence"


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its name, other names for it, and what it means.

    `values` are the codes with their other spellings, of a code or state; a spelling may stand for
    several codes.
    """

    name: str
    kind: Kind
    also: tuple[str, ...]
    means: Sentence
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


JUDGE = "judge"
FLIPS = "flips"
_METRICS_ZH = {
    "answer_accuracy": "回答准确率",
    "numeric_accuracy": "数值准确率",
    "number_grounding": "金额有出处",
    "refusal_success": "正确拒答率",
    "over_refusal": "误拒答率",
    "refusal_contract": "拒答措辞",
    "has_citation": "含引用",
    "citation_covered": "金额有引用",
    "citation_well_formed": "引用格式",
    "citation_resolves": "引用可定位",
    "citation_supports": "引用可支撑",
    "caliber_rule": "口径规则",
    "faithfulness": "忠实度",
    "answer_relevancy": "答案相关性",
    "context_relevance": "上下文相关性",
    "faithfulness_similarity": "忠实相似度",
    "answer_relevancy_similarity": "答案相似度",
    "context_relevance_similarity": "上下文相似度",
}
# The metric `caliber` is a number, and `caliber:conflict` asks for the verdict that holds.
RENAMED = {"caliber_rule": "caliber"}
SIGNALS = tuple(metric.name for metric in METRICS if metric.kind is MetricKind.SIGNAL)


def _of(
    name: str, kind: Kind, also: str, means: tuple[str, str], codes: values.Codes | None = None
) -> Field:
    return Field(name, kind, (also,), Sentence(*means), codes or {})


_IS = (
    "a property: failed is neither correct nor rightly refused, lost has a layer, seen has enough "
    "evidence in the context, flaky has repeats of a judge on both sides of 0.5, unreviewed is "
    "failed and without a verdict, disputed has caliber checks that differ",
    "状态：失败指既非答对也非正确拒答，丢失指有所属的层，证据可见指上下文中证据足够，"
    "评分不稳指评审重复跨过 0.5，待复核指失败且尚无判定，意见不一指口径抽查结论不同",
)
_LOST = (
    "the stage that lost the gold passage, as on Funnel; dense and bm25: not found by that search",
    "金标段落在哪一步丢失，同漏斗页；dense、bm25 指该路检索未返回",
)
_KEPT = ("the stage that the gold passage reached, as on Funnel", "金标段落到达的步骤，同漏斗页")
_FITS = (
    "does the figure stand under the asked caliber, by people where they said so",
    "数字口径是否相符，以人工判定为准",
)
_BY_PEOPLE = "by people where they said so"

_PLAIN = (
    _of(
        "outcome",
        Kind.CODE,
        "结果",
        (f"what became of it, {_BY_PEOPLE}", "该题结果，以人工判定为准"),
        values.OUTCOMES,
    ),
    _of(
        "rule_outcome",
        Kind.CODE,
        "规则结果",
        ("what the rules alone say became of it", "仅按规则的结果"),
        values.OUTCOMES,
    ),
    _of(
        "layer",
        Kind.CODE,
        "层",
        (f"where it was lost, {_BY_PEOPLE}", "在哪一层丢失，以人工判定为准"),
        values.LAYERS,
    ),
    _of(
        "rule_layer",
        Kind.CODE,
        "规则层",
        ("where the rules alone say it was lost", "仅按规则的层"),
        values.LAYERS,
    ),
    _of("reason", Kind.ID, "原因", ("code of the diagnosis", "诊断代码")),
    _of("caliber", Kind.CODE, "口径", _FITS, values.CALIBERS),
    _of(
        "verdict",
        Kind.CODE,
        "判定",
        ("where a reviewer says it was lost", "复核人判定的层"),
        values.VERDICTS,
    ),
    _of(
        "reviewer",
        Kind.TEXT,
        "复核人",
        ("whose verdict or caliber check holds", "判定或口径抽查的复核人"),
    ),
    _of(
        "reviewed",
        Kind.CODE,
        "复核",
        ("has a person given a verdict", "是否有人工判定"),
        values.YES_NO,
    ),
    _of(
        "checked",
        Kind.CODE,
        "抽查",
        ("has a person checked its caliber", "是否有人抽查过口径"),
        values.YES_NO,
    ),
    _of("flag", Kind.CODE, "标记", ("has a person flagged it", "是否有人标记"), values.YES_NO),
    _of("lost", Kind.CODE, "丢失于", _LOST, values.LOST),
    _of("kept", Kind.CODE, "到达", _KEPT, values.KEPT),
    _of(
        "change",
        Kind.CODE,
        "变化",
        ("its answer accuracy against the base", "回答准确率相对基准的变化"),
        values.CHANGES,
    ),
    _of("is", Kind.STATE, "是", _IS, values.STATES),
    _of("has", Kind.PRESENCE, "有", ("a field that has a value", "该字段有值")),
    _of("no", Kind.PRESENCE, "无", ("a field that has no value", "该字段无值")),
    _of("company", Kind.TEXT, "公司", ("company of the question", "题目的公司")),
    _of("period", Kind.TEXT, "期间", ("period of the question", "题目的期间")),
    _of(
        "lang",
        Kind.ID,
        "语言",
        ("language of the question, zh, en or another tag", "题目的语言，zh、en 或其他标签"),
        values.LANGUAGES,
    ),
    _of("kind", Kind.CODE, "题型", ("what an answer needs", "作答需要什么"), values.KINDS),
    _of("mode", Kind.ID, "模式", ("mode of the run", "运行的模式"), values.MODES),
    _of("id", Kind.ID, "题号", ("id of the question", "题目编号")),
    _of("question", Kind.TEXT, "题目", ("text of the question", "题目原文")),
    _of("answer", Kind.TEXT, "答案", ("text of the answer", "答案原文")),
    _of("gold", Kind.TEXT, "金标", ("gold as the set words it", "题集中的标准答案")),
    _of("doc", Kind.TEXT, "文档", ("id of a document that holds the evidence", "证据所在文档编号")),
    _of(
        "rank",
        Kind.NUMBER,
        "排名",
        ("best rank of a gold chunk at the end", "金标片段的最终最佳排名"),
    ),
    _of("dense_rank", Kind.NUMBER, "向量排名", ("its rank by dense retrieval", "向量检索排名")),
    _of("bm25_rank", Kind.NUMBER, "BM25排名", ("its rank by BM25", "BM25 排名")),
    _of("fused_rank", Kind.NUMBER, "融合排名", ("its rank after fusion", "融合后排名")),
    _of("rerank_rank", Kind.NUMBER, "重排排名", ("its rank by the reranker", "重排后排名")),
    _of("citations", Kind.NUMBER, "引用数", ("how many citations the answer has", "答案的引用数")),
    _of("seconds", Kind.NUMBER, "秒", ("seconds of retrieval and generation", "检索与生成的秒数")),
)


def _metric_fields() -> tuple[Field, ...]:
    any_of = Field(
        JUDGE,
        Kind.METRIC,
        ("评审",),
        Sentence(
            "any signal (≈) of this question in this mode, each by its own mean; there is no "
            "composite score",
            "该题在该模式下的任一信号（≈），各按自身均值，不合成总分",
        ),
    )
    given = {metric: name for name, metric in RENAMED.items()}
    names = [(given.get(metric.name, metric.name), metric) for metric in METRICS]
    judged = {
        m.name: (_METRICS_ZH[m.name],) for m in METRICS if "judge" in m.inputs and m.name in SIGNALS
    }
    flips = Field(
        FLIPS,
        Kind.CODE,
        ("翻转",),
        Sentence(
            "a judge metric whose repeats lie on both sides of 0.5",
            "重复跨过 0.5 的评判指标",
        ),
        judged,
    )
    return (
        flips,
        any_of,
        *(
            Field(
                name, Kind.METRIC, (_METRICS_ZH[name],) if name in _METRICS_ZH else (), m.definition
            )
            for name, m in names
        ),
    )


FIELDS = {one.name: one for one in (*_PLAIN, *_metric_fields())}


GIVEN_SCORE = Field(
    GIVEN,
    Kind.METRIC,
    (),
    Sentence("a score that another system gave with its results", "其他系统随结果给出的分数"),
)
_GIVEN_NAME = re.compile(re.escape(GIVEN) + r"[\w.@+-]{1,60}")


def field_of(name: str) -> Field:
    """Return a field by its name; what another system calls its scores is any."""
    return GIVEN_SCORE if name.startswith(GIVEN) else FIELDS[name]


def named(word: str) -> str | None:
    """Return the name of a field by one of its spellings, None for no field.

    A score of another system is named as that system spells it.
    """
    return word if is_given(word) else by_any_name().get(folded(word))


def is_given(word: str) -> bool:
    """Whether this is the name of a score of another system."""
    return _GIVEN_NAME.fullmatch(word) is not None


@cache
def by_any_name() -> dict[str, str]:
    """Return the names of fields by each of their spellings, folded."""
    return {folded(word): one.name for one in FIELDS.values() for word in (one.name, *one.also)}


@lru_cache(maxsize=256)
def codes_of(name: str) -> dict[str, tuple[str, ...]]:
    """Return the codes of a field by each of their spellings, folded."""
    is_metric = field_of(name).kind is Kind.METRIC
    known = values.STATUSES if is_metric else field_of(name).values
    found: dict[str, tuple[str, ...]] = {}
    for code, also in known.items():
        for word in (code, *also):
            found[folded(word)] = (*found.get(folded(word), ()), code)
    return found


def metric_of(name: str) -> str:
    """Return the stored name of a metric by the name of its field."""
    return RENAMED.get(name, name)
