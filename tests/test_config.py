"""A run config is read whole or refused with every fault named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ragdash.config import _File, load_config
from ragdash.core.call import Budget, Endpoint, Level
from ragdash.core.errors import ConfigError
from ragdash.core.run import RunConfig, factors
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


ENDPOINT = """
[generator]
kind = "endpoint"
base_url = "http://127.0.0.1:8000/v1/"
model = "m"
"""


def test_an_endpoint_is_named_with_its_key_s_variable_and_never_with_a_key(tmp_path: Path) -> None:
    config = load_config(
        write(
            tmp_path,
            ENDPOINT
            + 'api_key_env = "MY_KEY"\ntemperature = "unset"\nseed = 7\n'
            + '[judge]\nkind = "endpoint"\nbase_url = "https://h/v1"\nmodel = "j"\nrepeats = 3\n'
            + "[budget]\ncalls = 10\nmoney = 1.5\n",
        )
    )
    assert config.generator.endpoint == Endpoint(
        "http://127.0.0.1:8000/v1", "m", api_key_env="MY_KEY", temperature=None, seed=7
    )
    assert config.judge.endpoint == Endpoint("https://h/v1", "j")
    assert config.judge.repeats == 3
    assert config.budget == Budget(calls=10, money=1.5)


def test_an_endpoint_may_be_asked_at_a_weaker_level_from_the_start(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, ENDPOINT + 'level = "json_object"\n'))
    assert config.generator.endpoint is not None
    assert config.generator.endpoint.level is Level.JSON_OBJECT
    with pytest.raises(ConfigError, match=r"generator\.level"):
        load_config(write(tmp_path, ENDPOINT + 'level = "xml"\n'))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[generator]\nkind = "endpoint"\n', "needs base_url and model"),
        ('[judge]\nkind = "endpoint"\nmodel = "m"\n', "needs base_url"),
        ('[generator]\nmodel = "m"\n', "only kind endpoint"),
        ("[judge]\nrepeats = 3\n", "only kind endpoint"),
        (ENDPOINT.replace("http://", ""), "no address"),
        (ENDPOINT.replace("http://", "ftp://"), "no address"),
        (ENDPOINT.replace("127", "me:sk-123@127"), "api_key_env"),
        (ENDPOINT.replace("/v1/", "/v1?key=sk-123"), "api_key_env"),
        (ENDPOINT + 'api_key = "sk-123"\n', "generator.api_key: unknown key"),
        (ENDPOINT + 'api_key_env = "sk-123"\n', "api_key_env"),
        (ENDPOINT + "temperature = nan\n", "temperature"),
        (ENDPOINT + "concurrency = 0\n", "concurrency"),
        ("[budget]\ncalls = -1\n", "budget.calls"),
    ],
)
def test_a_bad_endpoint_is_refused_before_anything_is_asked(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(write(tmp_path, text))
    assert said in str(caught.value)


def test_pace_prices_and_budget_are_no_factor_but_model_and_temperature_are(
    tmp_path: Path,
) -> None:
    plain = load_config(write(tmp_path, ENDPOINT))
    paced = "concurrency = 9\ntimeout = 5.0\nprice_prompt = 1.0\n[budget]\ncalls = 3\n"
    assert factors(load_config(write(tmp_path, ENDPOINT + paced))) == factors(plain)
    for other in ("temperature = 0.5\n", "seed = 3\n", "max_tokens = 7\n"):
        assert factors(load_config(write(tmp_path, ENDPOINT + other))) != factors(plain)
