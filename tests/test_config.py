"""A run config is read whole or refused with every fault named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ragdash.config import load_config
from ragdash.core.errors import ConfigError
from ragdash.core.run import RunConfig

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
