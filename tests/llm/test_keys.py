"""A canary key is found nowhere but in the one header it belongs to."""

from __future__ import annotations

import logging
import pickle

import pytest

from ragdash.core.call import Endpoint
from ragdash.core.errors import EnvironmentError_
from ragdash.llm.client import EndpointClient
from ragdash.llm.keys import Key
from ragdash.llm.loopback import Sent, answering, completion, failing
from ragdash.llm.probe import probe
from ragdash.llm.recording import Recorder
from ragdash.store.calls import CallStore

CANARY = "sk-canary-7f3a9b2c4d5e6f70"


@pytest.fixture
def canary(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)


def echo(asked):
    """A server that repeats the header it was sent, in every place it can."""
    key = asked.headers["authorization"]
    body = completion(f'{{"score": 1, "reason": "{key}"}}', finish=f"stop {key}")
    body["system_fingerprint"] = key
    return Sent(body, headers={"X-Echo": key, "X-Request-Id": key})


def refusing(asked):
    key = asked.headers["authorization"]
    return Sent({"error": {"message": f"{key} or {key[7:22]} is wrong"}}, 401, {"X-Echo": key})


def moved(asked):
    return Sent("", 302, {"Location": f"http://other.example/?{asked.headers['authorization']}"})


def page(asked):
    return Sent(f"<html>{asked.headers['authorization']}</html>", headers={"X-Echo": CANARY})


@pytest.mark.usefixtures("canary")
@pytest.mark.parametrize("reply", [echo, refusing, moved, page, failing(500, CANARY)])
def test_the_key_is_in_no_field_log_store_or_recording(
    served, asking, caplog, tmp_path, reply
) -> None:
    # root takes what every library writes at DEBUG
    caplog.set_level(logging.DEBUG)
    cache = CallStore(tmp_path / "store")
    with served(reply, tries=1, given={"cache": cache}) as (client, server):
        recorder = Recorder(client, tmp_path / "calls.jsonl")
        for schema in ({}, {"schema": None}):
            result = recorder.ask(asking(f"is {CANARY} the key?", **schema))
            assert CANARY not in repr(result)
        assert server.asked[0].headers["authorization"] == f"Bearer {CANARY}"
        assert CANARY not in repr(client) + client.name
    cache.close()
    assert caplog.records
    logged = "\n".join(f"{r.getMessage()} {r.args} {r.msg} {r.exc_text}" for r in caplog.records)
    assert CANARY not in logged
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert CANARY[:16].encode() not in path.read_bytes()


@pytest.mark.usefixtures("canary")
@pytest.mark.parametrize("reply", [refusing, moved, page, failing(500, CANARY, retry_after="0")])
def test_the_key_is_in_no_error_text(served, reply) -> None:
    with served(reply) as (client, _), pytest.raises(EnvironmentError_) as caught:
        probe(client.endpoint)
    error: BaseException | None = caught.value
    while error is not None:
        assert CANARY not in f"{error} {error!r} {error.args}"
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize(
    "text", ["sk-with a blank-1234", "sk-line\nbreak-123456", "sk-“quoted”-12345", "键-1234567890"]
)
def test_a_key_that_no_header_can_hold_is_told_without_it(monkeypatch, text) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", text)
    with pytest.raises(EnvironmentError_, match="OPENAI_API_KEY") as error:
        EndpointClient(Endpoint("https://api.example.com/v1", "m"))
    assert text not in str(error.value)


def test_blanks_around_a_key_are_left_out(served, asking, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {CANARY}\n")
    with served(answering("x")) as (client, server):
        client.ask(asking(schema=None))
        assert server.asked[0].headers["authorization"] == f"Bearer {CANARY}"


def test_a_key_shows_its_name_only() -> None:
    key = Key("NAME", CANARY)
    assert repr(key) == str(key) == "Key(NAME)"
    assert key.redact(f"a {CANARY} b {CANARY[2:20]} c") == "a [key] b [key] c"
    with pytest.raises(TypeError):
        pickle.dumps(key)


def test_a_placeholder_is_no_secret_and_no_word_is_taken_out() -> None:
    assert Key("NAME", "EMPTY").redact("an EMPTY answer") == "an EMPTY answer"
