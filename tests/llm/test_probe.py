"""What the probe finds out, against a server that honours, refuses or ignores."""

from __future__ import annotations

import itertools

import pytest

from ragdash.core.call import Budget, Endpoint, Level
from ragdash.core.errors import ConfigError, EnvironmentError_
from ragdash.llm.loopback import Loopback, Sent, answering, completion, failing, honouring
from ragdash.llm.probe import probe, probe_lines, self_judged
from ragdash.llm.spending import Spending

PROSE = answering("Paris is the capital of France.")
REFUSED = failing(400, "This response_format type is unavailable now")
ANOTHER = answering({"capital": "Paris"})


def probed(reply, **fields):
    with Loopback(reply) as server:
        endpoint = Endpoint(server.url, "tiny", **{"tries": 1, "timeout": 30.0} | fields)
        return probe(endpoint), server


@pytest.mark.parametrize(
    ("levels", "found", "n_why"),
    [
        ({}, Level.JSON_SCHEMA, 0),
        ({"json_schema": PROSE}, Level.JSON_OBJECT, 1),
        ({"json_schema": ANOTHER}, Level.JSON_OBJECT, 1),
        ({"json_schema": answering('```json\n{"a": 1}\n```')}, Level.JSON_OBJECT, 1),
        ({"json_schema": answering(PROSE.body and "Paris " * 50, "length")}, Level.JSON_OBJECT, 1),
        ({"json_schema": REFUSED}, Level.JSON_OBJECT, 1),
        ({"json_schema": failing(422, "response_format")}, Level.JSON_OBJECT, 1),
        ({"json_schema": REFUSED, "json_object": REFUSED}, Level.TEXT, 2),
        ({"json_schema": PROSE, "json_object": PROSE}, Level.TEXT, 2),
        ({"json_schema": REFUSED, "json_object": answering('JSON: {"a": 1}')}, Level.TEXT, 2),
    ],
)
def test_i09_the_level_is_what_is_really_honoured(levels, found, n_why) -> None:
    result, server = probed(honouring(**levels))
    assert result.level is found
    assert len(result.why) == n_why
    assert server.n_asked <= 5


def test_accepted_and_ignored_is_told_with_what_it_said() -> None:
    result, _ = probed(honouring(json_schema=PROSE))
    assert result.why == (
        "json_schema: accepted and not kept to, it said: Paris is the capital of France.",
    )


def test_a_model_does_not_know_the_odd_names_from_the_messages() -> None:
    _, server = probed(honouring())
    asked = server.asked[0].body
    (name, *_) = asked["response_format"]["json_schema"]["schema"]["properties"]
    assert name not in str(asked["messages"])


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_i09_no_key_no_rate_and_no_server_error_lowers_the_level(status) -> None:
    with pytest.raises(EnvironmentError_, match=f"answered {status}"):
        probed(failing(status, "response_format", retry_after="0"))


def test_a_server_that_fails_on_the_format_only_is_told_so() -> None:
    reply = honouring(json_schema=failing(500, "grammar", retry_after="0"))
    with pytest.raises(EnvironmentError_, match="with response_format json_schema it answered 500"):
        probed(reply)
    with Loopback(reply) as server:
        found = probe(Endpoint(server.url, "tiny", tries=1, level=Level.JSON_OBJECT))
    assert found.level is Level.JSON_OBJECT


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (failing(401, "Incorrect API key"), "check the key in OPENAI_API_KEY"),
        (failing(404, "The model `tiny` does not exist"), "does not know this one"),
        (failing(404, "模型不存在"), "does not know this one"),
        (failing(404, "Not Found"), "most end in /v1"),
        (Sent("<html>404</html>", 404), "proxy"),
        (Sent("<!doctype html><p>Sign in</p>"), "proxy"),
        (Sent("<html>502</html>", 502), "proxy"),
        (Sent("", 308, {"Location": "https://other.example/v1"}), "https://other.example/v1"),
        (failing(429, "slow down", retry_after="900"), "900 seconds"),
        (failing(400, "failed to parse grammar"), "does not take this JSON schema"),
        (failing(400, "maximum context length is 16 tokens"), "longer window"),
        (Sent({"error": {"message": "upstream"}}), "answered 200 with an error: upstream"),
        (Sent({"choices": []}), "no choices"),
        (answering("", "length"), "raise max_tokens"),
    ],
)
def test_bad_configuration_is_one_sentence(reply, words) -> None:
    with pytest.raises(EnvironmentError_, match=words) as error:
        probed(reply)
    text = str(error.value)
    assert "'tiny' at http://127.0.0.1:" in text
    assert "\n" not in text


def test_a_server_that_is_silent_is_one_sentence() -> None:
    with pytest.raises(EnvironmentError_, match="raise timeout"):
        probed(Sent(delay=60), timeout=0.5)


def test_a_wrong_host_and_a_closed_port_are_one_sentence() -> None:
    for url in ("http://127.0.0.1:9/v1", "http://nowhere.localhost:9/v1"):
        with pytest.raises(EnvironmentError_, match="check the host in base_url"):
            probe(Endpoint(url, "tiny", tries=1))
    with pytest.raises(ConfigError, match="no http://"):
        probe(Endpoint("localhost:11434/v1", "tiny"))


def test_a_seed_is_honoured_where_chance_repeats_itself() -> None:
    count = itertools.count()

    def by_chance(asked):
        plain = "response_format" not in asked.body
        return answering(f"{next(count)}") if plain else honouring()(asked)

    def seeded(asked):
        return answering(f"{asked.body['seed']}") if "seed" in asked.body else by_chance(asked)

    assert probed(honouring(), seed=7)[0].seed is True
    assert probed(seeded, seed=7)[0].seed is True
    result, server = probed(by_chance, seed=7)
    assert result.seed is False
    # at temperature 0 two replies would agree without any seed
    assert [a.body["temperature"] for a in server.asked][-2:] == [1.0, 1.0]
    assert probed(honouring(), seed=None)[0].seed is None


@pytest.mark.parametrize("name", ["seed", "temperature"])
def test_a_field_that_is_refused_is_told(name) -> None:
    def reply(asked):
        return failing(400, f"unknown field {name}") if name in asked.body else honouring()(asked)

    result, _ = probed(reply)
    assert result.dropped == (name,)
    assert result.level is Level.JSON_SCHEMA
    assert (result.seed is None) == (name == "seed")


def test_logprobs_are_there_where_they_come() -> None:
    body = completion("1 2 3")
    body["choices"][0]["logprobs"] = {"content": [{"token": "1", "logprob": -0.1}]}

    def reply(asked):
        return Sent(body) if asked.body.get("logprobs") else honouring()(asked)

    assert probed(reply)[0].logprobs is True
    assert probed(honouring())[0].logprobs is False


def test_what_a_probe_costs_counts() -> None:
    spending = Spending(Budget(calls=2))
    with Loopback(honouring()) as server, pytest.raises(EnvironmentError_, match="budget"):
        probe(Endpoint(server.url, "tiny"), spending=spending)
    assert server.n_asked == 2


def test_lines_name_model_host_level_and_why() -> None:
    result, _ = probed(honouring(json_schema=PROSE))
    text = "\n".join(probe_lines(result))
    for words in ("tiny at 127.0.0.1:", "json_object", "not json_schema: accepted", "seed", "fp_"):
        assert words in text


def test_i42_i43_a_judge_of_the_same_model_on_the_same_host_judges_itself() -> None:
    one = Endpoint("http://localhost:8000/v1", "Qwen2.5-7B")
    for url, model, same in (
        ("http://127.0.0.1:8000/v1/", "qwen2.5-7b", True),
        ("http://localhost:8000/v1", "qwen2.5-7b:latest", True),
        ("http://localhost:8001/v1", "Qwen2.5-7B", False),
        ("https://api.example.com/v1", "Qwen2.5-7B", False),
        ("http://localhost:8000/v1", "qwen2.5-72b", False),
    ):
        assert self_judged(one, Endpoint(url, model)) is same
