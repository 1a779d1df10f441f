"""What is sent at each level, and when a level falls."""

from __future__ import annotations

import threading

import pytest

from ragdash.core.call import CallReason, Level
from ragdash.llm.loopback import Sent, answering, failing

GOOD = {"score": 0.5, "reason": "a"}


def only(*kinds, otherwise):
    """An endpoint that takes these response formats, and refuses the others."""

    def reply(asked):
        kind = asked.body.get("response_format", {}).get("type", "text")
        return answering(GOOD) if kind in kinds else otherwise

    return reply


@pytest.mark.parametrize(
    "refusal",
    [
        failing(400, "This response_format type is unavailable now"),
        failing(404, "Unknown parameter: response_format"),
        failing(422, "This model does not support response format `json_schema`."),
        Sent({"detail": [{"loc": ["body", "response_format", "type"], "msg": "bad"}]}, 422),
        Sent({"error": "json_schema is not supported"}, 400),
        Sent({"error": {"param": "response_format", "message": "不支持"}}, 400),
    ],
)
def test_i09_a_refusal_that_names_the_format_lowers_the_level_and_is_remembered(
    served, asking, refusal
) -> None:
    with served(only("json_object", otherwise=refusal)) as (client, server):
        first, second = client.ask(asking()), client.ask(asking("another"))
        assert server.n_asked == 3
    assert client.level is Level.JSON_OBJECT
    assert first.call.level is second.call.level is Level.JSON_OBJECT
    assert first.parsed.score == 0.5
    with served(only("text", otherwise=refusal)) as (client, server):
        assert client.ask(asking()).call.level is Level.TEXT
        assert server.n_asked == 3


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_i09_no_other_status_lowers_the_level(served, asking, status) -> None:
    refusal = failing(status, "response_format json_schema", retry_after="0")
    with served(refusal) as (client, server):
        assert client.ask(asking()).call.reason
        assert {a.body["response_format"]["type"] for a in server.asked} == {"json_schema"}
    assert client.level is Level.JSON_SCHEMA


def test_what_an_error_repeats_of_the_request_does_not_lower_the_level(served, asking) -> None:
    echo = {"detail": [{"loc": ["body", "model"], "msg": "no", "input": {"response_format": {}}}]}
    with served(Sent(echo, 422)) as (client, server):
        assert client.ask(asking()).call.reason is CallReason.REJECTED
        assert server.n_asked == 1
    assert client.level is Level.JSON_SCHEMA


def test_many_at_once_lower_the_level_by_one(served, asking) -> None:
    refusal = failing(400, "response_format")
    with served(only("json_object", otherwise=refusal), concurrency=8) as (client, _):
        replies = []
        threads = [
            threading.Thread(target=lambda n=n: replies.append(client.ask(asking(f"q{n}"))))
            for n in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {r.call.level for r in replies} == {Level.JSON_OBJECT}


def test_the_schema_that_is_sent_is_strict(served, asking, schemas) -> None:
    with served(answering("{}")) as (client, server):
        client.ask(asking(schema=schemas["verdicts"]))
        form = server.asked[0].body["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["name"] == "Verdicts"
    graded = form["schema"]["$defs"]["Graded"]
    for node in (form["schema"], graded):
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])
    assert graded["properties"]["grade"]["enum"] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("system", "words"), [("你是评审。", "只回复一个"), ("You are a judge.", "Reply with one JSON")]
)
def test_json_object_names_json_and_the_schema_in_the_language_of_the_prompt(
    served, asking, system, words
) -> None:
    with served(answering(GOOD), given={"level": Level.JSON_OBJECT}) as (client, server):
        reply = client.ask(asking("数据", system=system))
        body = server.asked[0].body
    told = body["messages"][0]["content"]
    assert body["response_format"] == {"type": "json_object"}
    assert told.startswith(system)
    assert words in told
    assert '"score"' in told
    # what a user message holds is data, and stays as it is
    assert body["messages"][1]["content"] == "数据"
    assert told in reply.call.sent


@pytest.mark.parametrize(
    ("content", "score"),
    [
        ("score: 0.5\nreason: 依据充分", 0.5),
        ("**score**: 1\n- reason：ok", 1.0),
        ('{"score": 0.5, "reason": "a"}', 0.5),
        ("Sure!\n\nscore: 0\nreason: none", 0.0),
        ("<think>score: 1</think>\nscore: 0.25\nreason: x", 0.25),
    ],
)
def test_labelled_text_is_read(served, asking, content, score) -> None:
    with served(answering(content), given={"level": Level.TEXT}) as (client, server):
        reply = client.ask(asking())
        assert "response_format" not in server.asked[0].body
        assert "score: <number" in server.asked[0].body["messages"][0]["content"]
    assert reply.parsed.score == score


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("score: 0.5", CallReason.INVALID_JSON),
        ("score: 0.5\nscore: 1\nreason: a", CallReason.INVALID_JSON),
        ("score: high\nreason: a", CallReason.OUT_OF_RANGE),
        ("score: 0.5/1\nreason: a", CallReason.OUT_OF_RANGE),
        ("score: NaN\nreason: a", CallReason.OUT_OF_RANGE),
        ("score: 7\nreason: a", CallReason.OUT_OF_RANGE),
        ("it is supported", CallReason.INVALID_JSON),
    ],
)
def test_labelled_text_that_is_not_the_fields_is_a_reason(served, asking, content, reason) -> None:
    with served(answering(content), given={"level": Level.TEXT}) as (client, _):
        assert client.ask(asking()).call.reason is reason


def test_a_nested_schema_is_asked_for_as_json_in_words(served, asking, schemas) -> None:
    content = 'Here: {"verdicts": [{"grade": 3, "word": "supported"}]}'
    with served(answering(content), given={"level": Level.TEXT}) as (client, server):
        reply = client.ask(asking(schema=schemas["verdicts"]))
        assert "JSON schema" in server.asked[0].body["messages"][0]["content"]
    assert reply.parsed.verdicts[0].grade == 3


def test_free_text_has_no_format_and_no_words_about_one(served, asking) -> None:
    with served(answering("答案")) as (client, server):
        reply = client.ask(asking(schema=None))
        body = server.asked[0].body
    assert "response_format" not in body
    assert body["messages"][0]["content"] == "You are a judge."
    assert (reply.call.level, reply.call.reply, reply.parsed) == (Level.TEXT, "答案", None)


@pytest.mark.parametrize(
    ("message", "gone", "there"),
    [
        (
            "Unsupported value: 'temperature' does not support 0 with this model.",
            "temperature",
            "max_tokens",
        ),
        ("Unrecognized request argument supplied: seed", "seed", "temperature"),
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_completion_tokens",
        ),
    ],
)
def test_a_field_that_is_refused_is_left_out_from_then_on_and_told(
    served, asking, message, gone, there
) -> None:
    def reply(asked):
        return failing(400, message) if gone in asked.body else answering(GOOD)

    with served(reply) as (client, server):
        assert client.ask(asking()).parsed.score == 0.5
        assert client.ask(asking("another")).parsed.score == 0.5
        assert server.n_asked == 3
        assert there in server.asked[-1].body
    assert client.dropped == (gone,)


def test_an_endpoint_that_refuses_everything_comes_to_an_end(served, asking) -> None:
    message = "response_format temperature seed logprobs max_tokens max_completion_tokens"
    with served(failing(400, message)) as (client, server):
        call = client.ask(asking()).call
        assert server.n_asked == 6
    assert call.reason is CallReason.REJECTED
