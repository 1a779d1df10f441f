"""A run with endpoints in it: a generator, a judge asked three times, failures, kept calls."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ragdash.core.call import Call, CallReason, Endpoint, Level
from ragdash.core.retrieval import Mode
from ragdash.core.run import GeneratorConfig, JudgeConfig
from ragdash.core.score import Score, failed, not_applicable, scored
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from ragdash.core.run import QuestionResult

RUN = "20261130-0920-judged-77aa"
MODES = (Mode.DENSE, Mode.HYBRID)
REPEATS = 3
GENERATOR = Endpoint("http://127.0.0.1:11434/v1", "qwen2.5:7b")
JUDGE = Endpoint("https://judge.example/v1", "judge-large", price_prompt=0.4, price_completion=1.6)
JUDGE_COST = 0.002
ANSWERING, JUDGING = "sha256:" + "a" * 64, "sha256:" + "b" * 64
T, J = CallReason.TIMEOUT, CallReason.INVALID_JSON
# What the judge gives in each repeat; a reason where it gives nothing. Questions that are not here
# were refused (q04, q06) or have no answer (q05 dense).
FAITHFULNESS: dict[Mode, dict[str, tuple[float | CallReason, ...]]] = {
    # q02 dense and q03 hybrid are wrong, and every claim of theirs is in a chunk.
    Mode.DENSE: {"q01": (1, 1, 1), "q02": (1, 1, 1), "q03": (0.25, 0.75, 1)},
    Mode.HYBRID: {"q01": (1, 1, 1), "q02": (1, 1, T), "q03": (1, 1, 1), "q05": (0.5, 0.5, J)},
}
RELEVANCY = {mode: dict.fromkeys(FAITHFULNESS[mode], (1, 1, 0.5)) for mode in MODES}
CONTEXT = {mode: {f"q0{i}": (2 / 3, 2 / 3, 1 / 3) for i in (1, 2, 3, 5, 6)} for mode in MODES}


def make_judged_run(
    build: ModuleType, rich: ModuleType, store: Path, *, text: str = "", self_judged: bool = False
) -> Path:
    """Publish the run; `text` stands verbatim wherever an endpoint can put text."""
    questions = [rich._question(build, i, text) for i in range(len(rich.TEXTS))]
    judge = replace(GENERATOR if self_judged else JUDGE)
    info = build.make_info(RUN, modes=MODES, n_questions=len(questions))
    info = replace(
        info,
        started_at="2026-11-30T09:20:00Z",
        config=replace(
            info.config,
            generator=GeneratorConfig(
                "endpoint", replace(GENERATOR, model=text or GENERATOR.model)
            ),
            judge=JudgeConfig("endpoint", replace(judge, model=text or judge.model), REPEATS),
        ),
        environment={
            **info.environment,
            "endpoints": {
                "generator": {"probe": _probe(GENERATOR, text, "text"), "prompts": [ANSWERING]},
                "judge": {"probe": _probe(judge, text, "json_object"), "prompts": [JUDGING]},
            },
            "self_judged": self_judged,
        },
    )
    journal = Journal.create(store, info, [q.id for q in questions])
    for mode in MODES:
        for i, question in enumerate(questions):
            result = rich._result(build, mode, question, rich.FATES[mode][i], text)
            journal.append(_judged(result, text))
    return publish(store, journal, "2026-11-30T09:33:10Z")


def _probe(endpoint: Endpoint, text: str, level: str) -> dict[str, Any]:
    return {
        "host": text or endpoint.base_url.split("/")[2],
        "model": text or endpoint.model,
        "level": level,
        "why": [text or "json_schema: accepted, and the reply broke the schema"],
        "seed": level == "json_object",
        "logprobs": False,
        "fingerprint": text or "fp_7c2",
    }


def _judged(result: QuestionResult, text: str) -> QuestionResult:
    calls = [_generated(result, text)]
    scores = [s for s in result.scores if s.metric != "faithfulness_similarity"]
    for metric, table in (
        ("faithfulness", FAITHFULNESS),
        ("answer_relevancy", RELEVANCY),
        ("context_relevance", CONTEXT),
    ):
        said = table[result.mode].get(result.question.id)
        for repeat in range(REPEATS):
            if said is None:
                scores.append(replace(_unasked(metric, result), repeat=repeat))
            else:
                scores.append(_score(metric, said[repeat], repeat, text))
                calls += _calls(metric, said[repeat], repeat, result.mode, text)
    return replace(result, scores=tuple(scores), calls=tuple(calls))


def _unasked(metric: str, result: QuestionResult) -> Score:
    if not result.question.answerable:
        return not_applicable(metric, "unanswerable")
    if result.answer.status == "error":
        return failed(metric, result.answer.reason)
    return not_applicable(metric, "refused")


def _score(metric: str, value: float | CallReason, repeat: int, text: str) -> Score:
    judge = "judge-large @ judge.example"
    if isinstance(value, CallReason):
        row = failed(metric, value.value, step=metric, detail=text or "nothing for 60 s")
    else:
        row = replace(scored(metric, value), evidence=_evidence(metric, value, repeat, text))
    return replace(row, repeat=repeat, judge=judge, seconds=1.5)


def _evidence(metric: str, value: float, repeat: int, text: str) -> dict[str, Any]:
    if metric == "answer_relevancy":
        period = "addressed" if value == 1 else "not_addressed"
        return {"company": text or "addressed", "metric": "addressed", "period": period}
    if metric == "context_relevance":
        grades = [{"chunk": 1, "grade": 3}, {"chunk": 2, "grade": round(value * 6) - 3}]
        return {"grades": grades, "average_precision": 1.0, "note": text}
    claims = [
        {
            "id": i,
            "claim": text or f"贵州茅台2023年营业收入为147,693,604,994.14元（第{i}条）",
            "answer_quote": text or "营业收入为147,693,604,994.14元",
            "added": i == 4,
            "verdict": "supported" if i <= value * 4 else "not_in_context",
            "quote": text or "营业收入 147,693,604,994.14" if i <= value * 4 else "",
            "quote_found": i <= value * 4,
            "chunk": 1 if i <= value * 4 else None,
            "counts": i <= value * 4,
        }
        for i in range(1, 5)
    ]
    dropped = [{"claim": text or "茅台是白酒公司", "quote": text or "白酒"}]
    found = {"claims": claims, "n": 4, "supported": round(value * 4), "dropped": dropped}
    # The first repeat numbered its verdicts wrongly once, and was asked again.
    return {**found, **({"mismatches": [[1, 2, 2, 4]]} if repeat == 0 else {})}


def _generated(result: QuestionResult, text: str) -> Call:
    fails = result.answer.status == "error"
    return Call(
        stage="generate",
        purpose="answer.text",
        host="127.0.0.1:11434",
        model=text or GENERATOR.model,
        prompt_digest=ANSWERING,
        level=Level.TEXT,
        sent=text or "片段1\n营业收入 147,693,604,994.14\n\n问题：2023年营业收入是多少？",
        reply="" if fails else text or result.answer.text,
        reason=CallReason.EMPTY if fails else CallReason.NONE,
        finish_reason=text or "stop",
        prompt_tokens=900,
        completion_tokens=40,
        seconds=2.0,
        tries=1,
    )


def _calls(
    metric: str, value: float | CallReason, repeat: int, mode: Mode, text: str
) -> list[Call]:
    steps = ("claims", "verdicts") if metric == "faithfulness" else ("",)
    fails = isinstance(value, CallReason)
    calls = [
        Call(
            stage="judge",
            purpose=f"{metric}.{step}" if step else metric,
            host="judge.example",
            model=text or JUDGE.model,
            prompt_digest=JUDGING,
            level=Level.JSON_OBJECT,
            sent=text or "你是财务问答的评审。\n\n标记：9f2c\n回答：营业收入为147,693,604,994.14元",
            reply=text
            or '{"claims": [{"claim": "营业收入为1,476.94亿元", "quote": "1,476.94亿元"}]}',
            finish_reason=text or "stop",
            fingerprint="fp_7c2",
            prompt_tokens=1200,
            completion_tokens=90,
            cost=JUDGE_COST,
            seconds=0.5 + repeat / 4,
            tries=1,
            repeat=repeat,
            # The whole of hybrid's first repeat was kept from an earlier run.
            cached=mode is Mode.HYBRID and repeat == 0,
        )
        for step in steps
    ]
    if fails:
        gone = value is T
        last = replace(
            calls[-1], reason=value, detail=text or "no reply in 60 s", tries=4, seconds=60.0
        )
        calls[-1] = replace(last, reply="", cost=None, finish_reason="") if gone else last
    return calls
