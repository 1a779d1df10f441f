"""Replies written down before, and replies written down while they came."""

from __future__ import annotations

import json

import pytest

from ragdash.core.call import CallReason, Level
from ragdash.core.errors import InputError
from ragdash.llm.loopback import answering, failing
from ragdash.llm.recording import Recorder, Replay
from ragdash.llm.scripted import ScriptedClient

GOOD = {"score": 0.5, "reason": "依据"}


def test_a_list_is_worked_off_in_order_and_then_refused(asking) -> None:
    client = ScriptedClient([GOOD, "Sorry", CallReason.TIMEOUT])
    replies = [client.ask(asking()) for _ in range(3)]
    assert replies[0].parsed.score == 0.5
    assert [r.call.reason for r in replies] == ["", CallReason.INVALID_JSON, CallReason.TIMEOUT]
    assert len(client.asked) == 3
    with pytest.raises(InputError, match="no reply number 4"):
        client.ask(asking())


def test_a_mapping_goes_by_purpose_and_a_function_gets_the_request(asking) -> None:
    client = ScriptedClient({"a": GOOD, "b": [GOOD]})
    for _ in range(3):
        assert client.ask(asking(purpose="a")).parsed
    client.ask(asking(purpose="b"))
    for purpose in ("b", "c"):
        with pytest.raises(InputError, match=purpose):
            client.ask(asking(purpose=purpose))
    echo = ScriptedClient(lambda request: request.messages[1].content)
    assert echo.ask(asking("问题", schema=None)).call.reply == "问题"


def test_scripted_contents_are_held_to_the_schema_as_all_are(asking) -> None:
    client = ScriptedClient([{"score": 7, "reason": ""}, "score: 1\nreason: a"], level=Level.TEXT)
    assert client.ask(asking()).call.reason is CallReason.OUT_OF_RANGE
    assert client.ask(asking()).parsed.score == 1


def test_a_recording_gives_again_what_was_said(served, asking, tmp_path) -> None:
    path = tmp_path / "calls.jsonl"
    replies = [answering(GOOD), answering("自由文本"), failing(400, "no")]
    requests = [asking("营业收入"), asking("net sales", schema=None), asking("c", repeat=2)]
    with served(*replies) as (client, _):
        recorder = Recorder(client, path)
        said = [recorder.ask(r) for r in requests]
        assert recorder.name == client.name
        recorder.ask(requests[0])
    replay = Replay(path)
    for request, before in zip(requests, said, strict=True):
        again = replay.ask(request)
        assert again.parsed == before.parsed
        assert (again.call.reply, again.call.reason) == (before.call.reply, before.call.reason)
        assert again.call.cached
    assert replay.name == client.name
    assert replay.endpoint == client.endpoint
    assert len(path.read_text("utf-8").splitlines()) == 4


@pytest.mark.parametrize("change", [{"repeat": 1}, {"part": 3}, {"schema": None}, {"system": "x"}])
def test_what_was_not_recorded_is_refused_loudly(asking, tmp_path, change) -> None:
    path = tmp_path / "calls.jsonl"
    Recorder(ScriptedClient([GOOD]), path).ask(asking())
    replay = Replay(path)
    assert replay.ask(asking()).parsed.score == 0.5
    with pytest.raises(InputError, match="record it again"):
        replay.ask(asking(**change))


def test_a_recording_is_never_overwritten(tmp_path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text("mine", "utf-8")
    with pytest.raises(InputError, match="exists"):
        Recorder(ScriptedClient([]), path)


@pytest.mark.parametrize(
    "lines", ["", "{}", "null", '{"form": "ragdash calls 1", "endpoint": {}}', "\xff"]
)
def test_a_file_that_is_no_recording_is_refused(tmp_path, lines) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(lines.encode("latin-1"))
    with pytest.raises(InputError, match=r"calls\.jsonl"):
        Replay(path)


@pytest.mark.parametrize("line", ["{", "[]", '{"key": "a"}', '{"key": "a", "call": {"x": 1}}'])
def test_a_damaged_line_is_named(asking, tmp_path, line) -> None:
    path = tmp_path / "calls.jsonl"
    Recorder(ScriptedClient([GOOD]), path).ask(asking())
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(InputError, match="line 3"):
        Replay(path)


def test_a_recording_is_readable_json_with_the_messages(asking, tmp_path) -> None:
    path = tmp_path / "calls.jsonl"
    Recorder(ScriptedClient([GOOD]), path).ask(asking("茅台营业收入"))
    head, call = map(json.loads, path.read_text("utf-8").splitlines())
    assert head["endpoint"]["model"] == "scripted"
    assert "茅台营业收入" in call["call"]["sent"]
