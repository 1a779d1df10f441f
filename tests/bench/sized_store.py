"""A store of many runs for benches: a few written as `ragdash run` writes them, the rest their kin.

100 runs of 3 modes, 1,000 questions and 50 candidates would take half an hour to journal; what a
page reads is the run file, so a few runs with other fates are written whole and the rest are
copies of their files under other names, registered as `ragdash db check` registers what it finds.
"""

from __future__ import annotations

import importlib.util
import json
import random
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from ragdash.core.diagnosis import Layer
from ragdash.core.run import Outcome
from ragdash.core.score import MetricKind, Score, not_applicable, scored
from ragdash.metrics import METRICS
from ragdash.store.check import check
from ragdash.store.journal import Journal
from ragdash.store.runfile import publish

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ragdash.core.chunk import Chunk
    from ragdash.core.question import Question
    from ragdash.core.run import QuestionResult

WHOLE = 4
REPEATS = 3
COMPANIES = ("贵州茅台", "比亚迪", "宁德时代", "Apple Inc.", "Microsoft Corporation")
LAYERS = (Layer.RECALL, Layer.RANKING, Layer.RANKING, Layer.GENERATION, Layer.BUSINESS)
# Shares of outcomes: most are right, as in a run that somebody would look at.
FATES = (*[Outcome.CORRECT] * 11, *[Outcome.WRONG] * 5, *[Outcome.ABSTAINED_WRONG] * 2,
         Outcome.ABSTAINED_RIGHT, Outcome.UNSCORED)  # fmt: skip


def loaded_builders() -> Any:
    """Return tests/builders.py, which is no package."""
    spec = importlib.util.spec_from_file_location(
        "builders", Path(__file__).parents[1] / "builders.py"
    )
    if spec is None or spec.loader is None:
        raise AssertionError("tests/builders.py lies beside the benches")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = loaded_builders()


def make(store: Path, runs: int, questions: int, candidates: int) -> list[str]:
    """Return the ids of the runs of a store of that size, which is made where it is not there."""
    sized = store / "sized.json"
    wanted = [runs, questions, candidates]
    if not sized.is_file() or json.loads(sized.read_text("utf-8"))["sizes"] != wanted:
        shutil.rmtree(store, ignore_errors=True)
        ids = list(_written(store, runs, questions, candidates))
        sized.write_text(json.dumps({"sizes": wanted, "ids": ids}), "utf-8")
    return list(json.loads(sized.read_text("utf-8"))["ids"])


def _written(store: Path, runs: int, questions: int, candidates: int) -> Iterator[str]:
    asked = [_question(at) for at in range(questions)]
    chunks = [
        build.make_chunk(
            f"600519-2023/p{1 + at % 143}/{at}",
            source_page=1 + at % 143,
            text=f"第{at}段 " + "营业收入与净利润的说明 1,476.94 亿元。" * 40,
        )
        for at in range(2 * questions)
    ]
    for at in range(min(WHOLE, runs)):
        yield write_run(store, _name(at), (asked, chunks, candidates), at)
    for at in range(WHOLE, runs):
        _copy(store, _name(at % WHOLE), _name(at))
        yield _name(at)
    check(store)


def _name(at: int) -> str:
    return f"20261130-{at // 60:02}{at % 60:02}-sized-{at:04x}"


def _copy(store: Path, of: str, run_id: str) -> None:
    path = store / "runs" / f"{run_id}.duckdb"
    shutil.copy(store / "runs" / f"{of}.duckdb", path)
    with closing(duckdb.connect(path)) as db:
        db.execute("UPDATE meta SET run_id = ?", [run_id])
        db.execute("CHECKPOINT")


def write_run(
    store: Path, run_id: str, size: tuple[list[Question], list[Chunk], int], seed: int
) -> str:
    """Journal and publish one run, as `ragdash run` does."""
    asked, chunks, candidates = size
    draw = random.Random(seed)
    code = {"code": "sha256:" + "c" * 64, "ragdash": "0.1"}
    info = build.make_info(run_id, n_questions=len(asked))
    info = replace(info, environment={**info.environment, **code})
    with Journal.create(store, info, [question.id for question in asked]) as journal:
        for mode in build.ALL_MODES:
            for question in asked:
                result = build.make_result(question=question, mode=mode, n_candidates=candidates)
                journal.append(_fated(result, chunks, draw))
        publish(store, journal, "2026-11-30T10:00:00Z")
    return run_id


def _question(at: int) -> Question:
    company = COMPANIES[at % len(COMPANIES)]
    english = company[0].isascii()
    text = (
        f"What was the revenue of {company} in fiscal 2023, item {at}?"
        if english
        else f"{company}2023年第{at}项营业收入是多少？"
    )
    question: Question = build.make_question(
        f"q{at:05}", text=text, lang="en" if english else "zh", company=company
    )
    return question


def _fated(result: QuestionResult, chunks: list[Chunk], draw: random.Random) -> QuestionResult:
    outcome = draw.choice(FATES)
    start = draw.randrange(len(chunks))
    ranked = tuple(
        replace(one, chunk=chunks[(start + 7 * place) % len(chunks)])
        for place, one in enumerate(result.retrieval.candidates)
    )
    lost = outcome in (Outcome.WRONG, Outcome.ABSTAINED_WRONG)
    return replace(
        result,
        outcome=outcome,
        retrieval=replace(result.retrieval, candidates=ranked),
        scores=tuple(_scores(outcome, draw)),
        diagnosis=build.make_diagnosis(draw.choice(LAYERS)) if lost else None,
    )


def _scores(outcome: Outcome, draw: random.Random) -> Iterator[Score]:
    right = outcome in (Outcome.CORRECT, Outcome.ABSTAINED_RIGHT)
    for metric in METRICS:
        if metric.kind is MetricKind.SIGNAL:
            if outcome in (Outcome.ABSTAINED_RIGHT, Outcome.ABSTAINED_WRONG):
                yield not_applicable(metric.name, "refused")
                continue
            for repeat in range(REPEATS):
                value = round(draw.betavariate(6 if right else 2, 2), 3)
                yield replace(scored(metric.name, value), repeat=repeat, judge="judge-1")
        else:
            kept = right if metric.kind is MetricKind.GATE else draw.random() < 0.8
            yield scored(metric.name, float(kept), "match" if kept else "mismatch")
