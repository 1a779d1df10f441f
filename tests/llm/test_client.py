"""The client around its calls: cache, equal requests at once, configuration."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ragdash.core.call import Endpoint, Level
from ragdash.core.errors import ConfigError, EnvironmentError_
from ragdash.llm.callkey import call_key
from ragdash.llm.client import EndpointClient
from ragdash.llm.loopback import Loopback, answering, failing
from ragdash.store.calls import CallStore

GOOD = answering({"score": 0.5, "reason": "依据"})


@pytest.fixture
def cache(tmp_path):
    with CallStore(tmp_path / "store") as store:
        yield store


def test_a_call_that_is_kept_is_not_asked_again(served, asking, cache) -> None:
    with served(GOOD, given={"cache": cache}) as (client, server):
        first = client.ask(asking())
        again = client.ask(asking())
        assert server.n_asked == 1
        with EndpointClient(client.endpoint, cache=cache) as another:
            assert another.ask(asking()) == again
        assert server.n_asked == 1
    assert again.parsed == first.parsed
    assert again.call == replace(first.call, cached=True)
    assert not first.call.cached


def test_stage_and_purpose_are_those_of_the_request(served, asking, cache) -> None:
    with served(GOOD, given={"cache": cache}) as (client, _):
        client.ask(asking())
        call = client.ask(asking(stage="probe", purpose="another")).call
    assert (call.stage, call.purpose, call.cached) == ("probe", "another", True)


def test_i23_repeats_and_parts_are_calls_of_their_own(served, asking, cache) -> None:
    with served(GOOD, given={"cache": cache}) as (client, server):
        for fields in ({}, {"repeat": 1}, {"repeat": 2}, {"part": 1}):
            client.ask(asking(**fields))
        assert server.n_asked == 4
        repeats = [client.ask(asking(repeat=n)).call for n in range(3)]
        assert server.n_asked == 4
    assert [c.repeat for c in repeats] == [0, 1, 2]
    assert {c.fingerprint for c in repeats} == {"fp_scripted"}


@pytest.mark.parametrize(
    "bad",
    [
        answering("Sorry"),
        answering({"score": 7, "reason": ""}),
        answering("", "content_filter"),
        failing(500, retry_after="0"),
        failing(400, "no"),
    ],
)
def test_a_call_that_failed_is_a_new_try_after(served, asking, cache, bad) -> None:
    with served(bad, bad, GOOD, tries=2, given={"cache": cache}) as (client, server):
        first = client.ask(asking())
        assert first.call.reason
        before = server.n_asked
        for _ in range(2 - before):
            client.ask(asking())
        assert client.ask(asking()).call.reason == ""
        assert server.n_asked == 3


def test_equal_requests_at_once_are_asked_once(served, asking, cache) -> None:
    slow = answering({"score": 1, "reason": ""}, delay=0.1)
    with (
        served(slow, concurrency=8, given={"cache": cache}) as (client, server),
        ThreadPoolExecutor(8) as pool,
    ):
        replies = list(pool.map(client.ask, [asking()] * 8))
        assert server.n_asked == 1
    assert sum(not r.call.cached for r in replies) == 1


def test_a_level_found_lower_is_looked_up_there_too(served, asking, cache) -> None:
    def reply(asked):
        kind = asked.body.get("response_format", {}).get("type")
        return failing(400, "response_format") if kind == "json_schema" else GOOD

    with served(reply, given={"cache": cache}) as (client, server):
        client.ask(asking())
        assert server.n_asked == 2
        with EndpointClient(client.endpoint, cache=cache) as later:
            call = later.ask(asking()).call
        assert server.n_asked == 3
    assert (call.cached, call.level) == (True, Level.JSON_OBJECT)


def test_what_a_reply_depends_on_is_in_the_key_and_the_key_of_the_endpoint_is_not(asking) -> None:
    base = Endpoint("http://127.0.0.1:8000/v1", "m")
    key = call_key(base, Level.JSON_SCHEMA, asking())
    same = [
        replace(base, api_key_env="OTHER"),
        replace(base, concurrency=9, timeout=1.0, tries=9, price_prompt=1.0),
        replace(base, base_url="http://127.0.0.1:8000/v1/"),
    ]
    other = [
        replace(base, base_url="http://127.0.0.1:8001/v1"),
        replace(base, base_url="http://127.0.0.1:8000/v2"),
        replace(base, model="n"),
        replace(base, temperature=1.0),
        replace(base, temperature=None),
        replace(base, seed=1),
        replace(base, max_tokens=9),
    ]
    assert {call_key(e, Level.JSON_SCHEMA, asking()) for e in same} == {key}
    keys = {call_key(e, Level.JSON_SCHEMA, asking()) for e in other}
    requests = [
        asking("other"),
        asking(system="other"),
        asking(prompt_digest="sha256:q"),
        asking(repeat=1),
        asking(part=1),
        asking(max_tokens=7),
        asking(schema=None),
    ]
    keys |= {call_key(base, Level.JSON_SCHEMA, r) for r in requests}
    keys |= {call_key(base, level, asking()) for level in (Level.JSON_OBJECT, Level.TEXT)}
    assert len(keys) == len(other) + len(requests) + 2
    assert key not in keys


def test_i31_the_same_item_scores_the_same_wherever_it_stands(served, asking) -> None:
    def reply(asked):
        score = 1 if "item" in asked.body["messages"][1]["content"] else 0
        return answering({"score": score, "reason": ""})

    with served(reply, concurrency=4) as (client, _), ThreadPoolExecutor(8) as pool:
        requests = [asking("item" if n in (0, 22) else f"q{n}") for n in range(24)]
        scores = [r.parsed.score for r in pool.map(client.ask, requests)]
    assert [n for n, s in enumerate(scores) if s == 1] == [0, 22]


def test_a_client_that_is_closed_twice_or_forgotten_leaves_nothing(asking) -> None:
    with Loopback(GOOD) as server:
        client = EndpointClient(Endpoint(server.url, "m"))
        client.ask(asking())
        client.close()
        client.close()
        EndpointClient(Endpoint(server.url, "m")).ask(asking())
    assert threading.active_count() < 20


@pytest.mark.parametrize(
    ("base_url", "words"),
    [
        ("api.openai.com/v1", "no http:// or https://"),
        ("ftp://host/v1", "no http:// or https://"),
        ("", "no http:// or https://"),
        ("https://", "no http:// or https://"),
        ("http://host:99999/v1", "port"),
        ("http://host:x/v1", "port"),
        ("https://user:hunter22@host/v1", "user or password"),
        ("https://host/v1?key=1", "query"),
        ("https://host/v 1", "blanks"),
        ("https://host/v1/chat/completions", "leave /chat/completions away"),
    ],
)
def test_an_address_that_cannot_be_is_one_sentence_before_anything_is_asked(
    base_url, words
) -> None:
    with pytest.raises(ConfigError, match=words) as error:
        EndpointClient(Endpoint(base_url, "m"))
    assert "hunter22" not in str(error.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [("model", " "), ("timeout", 0.0), ("concurrency", 0), ("tries", 0), ("max_tokens", 0)],
)
def test_a_number_that_cannot_be_is_one_sentence(field, value) -> None:
    with pytest.raises(ConfigError, match=field):
        EndpointClient(replace(Endpoint("http://127.0.0.1:9/v1", "m"), **{field: value}))


def test_a_missing_key_is_told_by_the_name_of_its_variable(monkeypatch) -> None:
    monkeypatch.delenv("JUDGE_KEY", raising=False)
    with pytest.raises(EnvironmentError_, match="JUDGE_KEY is not set") as error:
        EndpointClient(Endpoint("https://api.example.com/v1", "m", api_key_env="JUDGE_KEY"))
    assert "api.example.com" in str(error.value)


def test_a_server_of_this_machine_needs_no_key(served, asking) -> None:
    with served(GOOD) as (client, server):
        assert client.ask(asking()).call.reason == ""
        assert server.asked[0].headers["authorization"] == "Bearer none"
    assert client.name == f"tiny@{client.host}"


class SlowDisk:
    """A cache whose disk is slow; it counts what was asked and is not kept yet."""

    def __init__(self) -> None:
        self.kept = self.most = 0
        self.n_asked = lambda: 0

    def get(self, _):
        return None

    def put(self, *_):
        self.most = max(self.most, self.n_asked() - self.kept)
        time.sleep(0.02)
        self.kept += 1


def test_a_reply_counts_as_in_flight_until_it_is_kept(served, asking) -> None:
    disk = SlowDisk()
    with (
        served(GOOD, concurrency=3, given={"cache": disk}) as (client, server),
        ThreadPoolExecutor(12) as pool,
    ):
        disk.n_asked = lambda: server.n_asked
        list(pool.map(client.ask, [asking(f"q{n}") for n in range(24)]))
        assert server.n_asked == 24
    assert 0 < disk.most <= 3
