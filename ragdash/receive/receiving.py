"""A file of the open form as a run: what identifies it, and its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.core.fingerprint import digest
from ragdash.core.run import Imported, JudgeConfig, RunConfig
from ragdash.receive.gather import gather
from ragdash.receive.results import Nouns, results_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ragdash.core.question import Question
    from ragdash.core.run import QuestionResult
    from ragdash.receive.gather import Gathered


@dataclass(frozen=True, slots=True)
class Received:
    """Another system's results, read whole and checked; nothing is scored yet.

    `missing` is how many questions each mode has no answer to, of those that any mode has.
    """

    name: str
    started_at: str | None
    modes: tuple[str, ...]
    questions: tuple[Question, ...]
    questions_name: str
    config: RunConfig
    missing: dict[str, int]
    _found: Gathered
    _nouns: Nouns

    @property
    def questions_digest(self) -> str:
        """The digest of the question set, equal to that of a question file that says the same."""
        return digest(self.questions)

    @property
    def n_results(self) -> int:
        """How many answers there are."""
        return len(self._found.rows)

    def results(self) -> Iterator[QuestionResult]:
        """Yield the results, scored as they are asked for."""
        return results_of(self._found, self._nouns)


def identity_of(content: str, name: str | None, facts: dict[str, str]) -> str:
    """Return the digest that an import is recognised by: of the file, the name and the facts."""
    return digest([content, name, facts])


def receive(path: Path, content: str, name: str | None, facts: dict[str, str]) -> Received:
    """Read a file of the open form.

    Args:
        path: the file.
        content: its digest.
        name: what to call the run; None for the system or the file.
        facts: what is declared beside the file, by names of `form.FACTS`.

    Raises:
        InputError: the file is another kind of file, or lines are bad; all of them are named.
    """
    found = gather(path, facts)
    nouns = Nouns(found)
    told = found.header.facts
    questions = tuple(nouns.questions.values())
    config = RunConfig(
        judge=JudgeConfig(kind="none"),
        imported=Imported(
            identity=identity_of(content, name, facts),
            file=path.name.encode("utf-8", "replace").decode(),
            digest=content,
            facts=dict(told),
        ),
    )
    answered = [mode for mode, _ in found.rows]
    return Received(
        name=name or told.get("system") or path.stem,
        started_at=found.header.started_at,
        modes=found.modes,
        questions=questions,
        questions_name=found.header.questions or path.stem,
        config=config,
        missing={
            mode: len(questions) - answered.count(mode)
            for mode in found.modes
            if answered.count(mode) < len(questions)
        },
        _found=found,
        _nouns=nouns,
    )
