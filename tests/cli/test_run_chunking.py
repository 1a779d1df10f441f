from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ragdash.cli.execution import Plan, _documents, _refuse_other_chunking
from ragdash.core.errors import InputError
from ragdash.core.retrieval import Mode
from ragdash.core.run import CorpusConfig, RunConfig
from ragdash.ingest.folder import Corpus
from ragdash.questions import QuestionSet


def plan(chunking: str) -> Plan:
    config = RunConfig(corpus=CorpusConfig(chunking=chunking))
    questions = QuestionSet.__new__(QuestionSet)
    return Plan((Mode.DENSE,), Path("corpus"), questions, config, Path("store"))


def corpus(chunking: str) -> Corpus:
    return Corpus(Path("corpus"), "corpus", "sha256:0", (), (), (), chunking)


def test_a_corpus_that_was_cut_otherwise_than_the_config_says_is_refused() -> None:
    with pytest.raises(InputError, match=r"cut into chunks by 'page'.*says 'blocks'.*--chunking"):
        _refuse_other_chunking(plan("blocks"), corpus("page"))


@pytest.mark.parametrize("cut", ["blocks", ""])
def test_a_corpus_that_was_cut_so_or_does_not_say_is_taken(cut: str) -> None:
    _refuse_other_chunking(plan("blocks"), corpus(cut))


@pytest.mark.parametrize("name", ["语料", "a corpus", "\udc80"])
def test_a_run_says_in_which_folder_its_corpus_lies(tmp_path: Path, name: str) -> None:
    told = _documents(replace(corpus("blocks"), folder=tmp_path / name))
    assert told["folder"] == f"{tmp_path / name}".encode("utf-8", "replace").decode()
    assert told["documents"] == _documents(corpus("page"))["documents"]
