"""What a small model says as the judge, beside the numeric gate, over the same answers.

Records a judge through the real metrics and prompts, and prints the table of what is recorded:

    python tests/real/lesson.py record --lang en --base-url URL --model NAME --out FILE
    python tests/real/lesson.py show
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from ragdash.amounts.reasons import REASONS
from ragdash.core.answer import Answer, AnswerStatus
from ragdash.core.call import Endpoint
from ragdash.core.chunk import Chunk, ChunkKind
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.evaluate.scoring import Heard
from ragdash.ingest.corpus import ingest, load_corpus
from ragdash.llm.client import EndpointClient
from ragdash.llm.parsing import parse
from ragdash.llm.probe import probe, probe_lines
from ragdash.llm.recording import Recorder, Replay
from ragdash.metrics import BY_NAME
from ragdash.metrics.base import Observation
from ragdash.metrics.faithfulness import Verdicts
from ragdash.metrics.prompts import VERDICTS
from ragdash.questions import load_questions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ragdash.core.call import Call
    from ragdash.core.question import Question
    from ragdash.core.score import Score
    from ragdash.llm.base import ChatClient

DATA = Path(__file__).parents[2] / "data"
RECORDINGS = Path(__file__).with_name("recordings")


@dataclass(frozen=True, slots=True)
class Case:
    """An answer of the recording: what it states (right, another magnitude, a product's)."""

    stated: str
    seen: Observation


@dataclass(frozen=True, slots=True)
class Row:
    """One answer as judge and gate see it; `said` is the judge's word on the first claim."""

    case: Case
    said: str
    faithfulness: Score
    relevancy: Score
    numeric: Score
    calls: tuple[Call, ...]


def cases(folder: Path, lang: str) -> Iterator[Case]:
    """Yield the answers in one language, with the chunks that the judge is shown.

    Args:
        folder: where the demo's reports may be read into.
        lang: "zh" or "en".
    """
    ingest(DATA / "reports" / "manifest.jsonl", folder)
    sources = {source.doc_id: source for source in load_corpus(folder).sources}
    of_demo = load_questions(DATA / "questions" / "demo.jsonl").questions
    questions: Mapping[str, Question] = {q.id: q for q in of_demo}
    for line in (RECORDINGS / "answers.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        question = questions[row["question"]]
        if question.lang != lang:
            continue
        found = tuple(
            RankedChunk(
                Chunk(
                    f"{c['doc_id']}#p{c['page']}", sources[c["doc_id"]], c["page"], "",
                    ChunkKind.TABLE, "", c["text"],
                ),
                RankTrace(rank, None, None, None, rank, in_context=True),
            )
            for rank, c in enumerate(row["chunks"], 1)
        )  # fmt: skip
        answer = Answer(row["answer"], AnswerStatus.ANSWERED, (), "written by hand")
        retrieval = Retrieval(Mode.DENSE, question.id, found, len(found), 0.0)
        yield Case(row["stated"], Observation(question, retrieval, answer, None, None))


def judged(case: Case, judge: ChatClient) -> Row:
    """Return what a judge and the numeric gate make of one answer."""
    heard = Heard(judge)
    seen = replace(case.seen, judge=heard)
    faithfulness = BY_NAME["faithfulness"].score(seen)
    relevancy = BY_NAME["answer_relevancy"].score(seen)
    numeric = BY_NAME["numeric_accuracy"].score(case.seen)
    calls = tuple(heard.calls)
    return Row(case, _said(calls), faithfulness, relevancy, numeric, calls)


def _said(calls: tuple[Call, ...]) -> str:
    """Return the verdict on claim 1 as it was first given; "no verdict" where there was none."""
    for call in calls:
        if call.purpose == VERDICTS.name and not call.reason:
            parsed, _, _ = parse(call.reply, Verdicts, call.level)
            if isinstance(parsed, Verdicts):
                return next((v.verdict for v in parsed.verdicts if v.id == 1), "no verdict")
    return "no verdict"


def cells(row: Row) -> tuple[str, ...]:
    """Return one row of the table: answer, the judge's word, what is counted, the gate."""
    return (
        row.case.seen.answer.text,
        row.said.replace("_", " "),
        _counted(row.faithfulness),
        _counted(row.relevancy),
        "pass" if row.numeric.value == 1.0 else "fail",
        REASONS[row.numeric.evidence["verdicts"][0]["reason"]].en,
    )


def _counted(score: Score) -> str:
    if score.value is None:
        return f"{score.status.value}: {score.reason}"
    return f"{score.value:g}"


@click.group()
def cli() -> None:
    """Record a judge, or show what is recorded."""


@cli.command()
@click.option("--lang", type=click.Choice(["zh", "en"]), required=True)
@click.option("--base-url", required=True)
@click.option("--model", required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
def record(lang: str, base_url: str, model: str, out: Path) -> None:
    """Probe an endpoint, let it judge the answers, and write every call down."""
    endpoint = Endpoint(
        base_url, model, max_tokens=300, timeout=900, context_window=2048, concurrency=1, tries=1
    )
    found = probe(endpoint)
    click.echo("\n".join(probe_lines(found)))
    with EndpointClient(endpoint, level=found.level) as client, TemporaryDirectory() as folder:
        recorder = Recorder(client, out)
        for case in cases(Path(folder), lang):
            click.echo(" | ".join(cells(judged(case, recorder))))


@cli.command()
def show() -> None:
    """Print the table over every recording."""
    for path in sorted(RECORDINGS.glob("*.calls.jsonl")):
        click.echo(path.name)
        with TemporaryDirectory() as folder:
            for row in replayed(path, Path(folder)):
                click.echo("| " + " | ".join(cells(row)) + " |")


def replayed(recording: Path, folder: Path) -> list[Row]:
    """Return the rows of one recording; nothing is asked."""
    replay = Replay(recording)
    return [judged(case, replay) for case in cases(folder, language_of(recording))]


def language_of(recording: Path) -> str:
    """Return the language that a recording names itself by: smollm2.en.calls.jsonl."""
    return recording.name.split(".")[-3]


if __name__ == "__main__":
    cli()
