"""A run config is read whole or refused with every fault named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ragdash.config import _File, load_config
from ragdash.core.errors import ConfigError
from ragdash.core.run import RunConfig
from ragdash.ingest.chunking import CHUNKINGS, DEFAULT
from ragdash.retrieve.subject import FILTERS, QUERIES

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, text: str) -> Path:
    path = folder / "run.toml"
    path.write_text(text, "utf-8")
    return path


def test_no_file_gives_the_defaults() -> None:
    assert load_config(None) == RunConfig()


def test_an_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load_config(write(tmp_path, "")) == RunConfig()


def test_a_section_overrides_only_what_it_names(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, '[retrieval]\ntop_k = 3\nbm25 = "okapi"\n'))
    assert (config.retrieval.top_k, config.retrieval.bm25, config.retrieval.rrf_k) == (
        3,
        "okapi",
        60,
    )


def test_every_unknown_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(write(tmp_path, "[retrieval]\ntopk = 3\n[modles]\n"))
    assert "retrieval.topk" in str(caught.value)
    assert "modles" in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        "top_k = 0",
        "top_k = -1",
        'top_k = "5"',
        "top_k = true",
        "weights = [1.0]",
        "weights = [nan, 1.0]",
        "weights = [-1.0, 1.0]",
        "rrf_k = 0",
        'bm25 = "bm25l"',
    ],
)
def test_a_value_out_of_range_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError):
        load_config(write(tmp_path, f"[retrieval]\n{line}\n"))


def test_a_missing_file_and_a_broken_one_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="not TOML"):
        load_config(write(tmp_path, "[retrieval"))


def test_chunking_filter_and_query_are_part_of_the_config(tmp_path: Path) -> None:
    text = '[corpus]\nchunking = "page"\n[retrieval]\nfilter = "strict"\nquery = "asked"\n'
    config = load_config(write(tmp_path, text))
    assert config.corpus.chunking == "page"
    assert (config.retrieval.filter, config.retrieval.query) == ("strict", "asked")


def test_the_names_that_the_config_takes_are_those_that_the_code_knows() -> None:
    for name in CHUNKINGS:
        assert _File.model_validate({"corpus": {"chunking": name}})
    for name in FILTERS:
        assert _File.model_validate({"retrieval": {"filter": name}})
    for name in QUERIES:
        assert _File.model_validate({"retrieval": {"query": name}})
    assert RunConfig().corpus.chunking == DEFAULT
