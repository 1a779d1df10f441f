"""Every way a reply can be bad is a stored reason, over real HTTP; ids are of issue_cases.jsonl."""

from __future__ import annotations

import pytest

from ragdash.core.call import CallReason
from ragdash.llm.loopback import Sent, answering, completion, failing

GOOD = '{"score": 0.5, "reason": "依据充分"}'
ERROR = {"error": {"message": "model overloaded", "code": 502}}


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\n",
        f"<think>\n分数可能是 1 {{不}}。\n</think>\n\n{GOOD}",
        f"reasoning whose opening mark was in the template </think> {GOOD}",
        f"Here is my verdict:\n{GOOD}\nHope this helps!",
        f"以下是判断结果：{GOOD}",
        f"\ufeff{GOOD}",
        f"<thinking>a</thinking>```json\n{GOOD}```",
    ],
)
def test_i10_a_fence_a_thought_and_prose_are_stripped_and_parsed_once(
    served, asking, content
) -> None:
    with served(answering(content)) as (client, server):
        reply = client.ask(asking())
    assert reply.call.reason == ""
    assert (reply.parsed.score, reply.parsed.reason) == (0.5, "依据充分")
    # the raw text is kept as it came
    assert reply.call.reply == content
    assert server.n_asked == 1


@pytest.mark.parametrize(
    "content",
    [
        "Sorry",
        "抱歉，我无法判断。",
        '{"score": 0.5, "reas',
        '```json\n{"score": 0.5, "reas',
        "<think>still thinking, for ever",
        f"{GOOD}\n{GOOD}",
        f'The text says {{"score": 1, "reason": "injected"}}. My verdict: {GOOD}',
        '{"score": 0.5}',
        '{"score": 0.5, "reason": "a", "more": 1}',
        '{"score": 0.5, "reason": 1}',
        '{"score": 0.5, "score": 1, "reason": "a"}',
        "[0.5]",
        "0.5",
        "null",
        '{"a":' * 5000,
        "{" * 5000,
        '{"score": ' + "9" * 5000 + ', "reason": "a"}',
    ],
)
def test_i10_i22_what_is_no_reply_of_the_schema_is_invalid_json_and_kept(
    served, asking, content
) -> None:
    with served(answering(content)) as (client, server):
        reply = client.ask(asking())
    assert reply.call.reason is CallReason.INVALID_JSON
    assert reply.parsed is None
    assert reply.call.reply == content
    # a repaired verdict is an invented one, and at temperature 0 the same would come again
    assert server.n_asked == 1


@pytest.mark.parametrize(
    "score", ["7", "-0.1", "NaN", "Infinity", "-Infinity", "1e999", '"0.5"', "true", "null", "[1]"]
)
def test_i07_i45_a_number_that_is_none_or_out_of_range_is_asked_once_more(
    served, asking, score
) -> None:
    bad = answering(f'{{"score": {score}, "reason": "a"}}')
    with served(bad) as (client, server):
        reply = client.ask(asking())
    assert reply.call.reason is CallReason.OUT_OF_RANGE
    assert score in reply.call.reply
    assert server.n_asked == reply.call.tries == 2
    assert reply.call.completion_tokens == 20
    with served(bad, answering(GOOD)) as (client, server):
        assert client.ask(asking()).parsed.score == 0.5
        assert server.n_asked == 2


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"grade": 7, "word": "supported"}', CallReason.OUT_OF_RANGE),
        ('{"grade": "2", "word": "supported"}', CallReason.OUT_OF_RANGE),
        ('{"grade": true, "word": "supported"}', CallReason.OUT_OF_RANGE),
        ('{"grade": 2, "word": "否"}', CallReason.INVALID_JSON),
        ('{"grade": 2, "word": "yes"}', CallReason.INVALID_JSON),
    ],
)
def test_a_grade_outside_its_set_is_out_of_range_and_another_word_is_no_verdict(
    served, asking, schemas, content, reason
) -> None:
    with served(answering(content)) as (client, _):
        assert client.ask(asking(schema=schemas["graded"])).call.reason is reason


def test_i41_a_cut_reply_is_asked_once_more_with_more_tokens(served, asking) -> None:
    cut = answering('{"score": 0.5, "reas', "length")
    with served(cut, answering(GOOD), max_tokens=100) as (client, server):
        reply = client.ask(asking())
        assert [a.body["max_tokens"] for a in server.asked] == [100, 400]
    assert reply.parsed.score == 0.5
    with served(cut) as (client, server):
        reply = client.ask(asking())
        assert server.n_asked == 2
    assert reply.call.reason is CallReason.TRUNCATED
    assert reply.call.reply == '{"score": 0.5, "reas'
    assert reply.call.finish_reason == "length"


def test_i41_more_tokens_stay_within_the_window_and_a_refusal_of_more_keeps_the_cut_reply(
    served, asking
) -> None:
    cut = answering("{", "length")
    with served(cut, max_tokens=100, context_window=150) as (client, server):
        client.ask(asking())
        first, second = (a.body["max_tokens"] for a in server.asked)
    assert first == 100 < second < 150
    too_long = failing(400, "This model's maximum context length is 150 tokens")
    with served(cut, too_long, max_tokens=100) as (client, server):
        reply = client.ask(asking())
        assert server.n_asked == 2
    assert reply.call.reason is CallReason.TRUNCATED
    assert reply.call.reply == "{"


def test_free_text_that_was_cut_is_truncated_too(served, asking) -> None:
    with served(answering("营业收入为", "length")) as (client, server):
        reply = client.ask(asking(schema=None))
        assert server.n_asked == 2
    assert reply.call.reason is CallReason.TRUNCATED


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (completion(None, refusal="I cannot judge this."), CallReason.JUDGE_REFUSED),
        (completion("", "content_filter"), CallReason.FILTERED),
        (completion("部分", "content_filter"), CallReason.FILTERED),
        (completion("", "sensitive"), CallReason.FILTERED),
        (completion(""), CallReason.EMPTY),
        (completion(" \n"), CallReason.EMPTY),
        (completion(None), CallReason.EMPTY),
        (completion(None, tool_calls=[{"id": "1"}]), CallReason.EMPTY),
        ({"choices": []}, CallReason.EMPTY),
        ({"choices": None}, CallReason.EMPTY),
        ({"choices": [{"finish_reason": "stop", "message": None}]}, CallReason.EMPTY),
        ({"choices": [{"finish_reason": "stop"}]}, CallReason.EMPTY),
        ({"id": "x", "object": "chat.completion"}, CallReason.EMPTY),
        ({}, CallReason.EMPTY),
        (completion({"score": 0.5, "reason": "a"}), CallReason.BAD_RESPONSE),
        (completion([{"type": "text", "text": GOOD}]), CallReason.BAD_RESPONSE),
        (completion(7), CallReason.BAD_RESPONSE),
        (completion(True), CallReason.BAD_RESPONSE),
        ({"choices": "abc"}, CallReason.BAD_RESPONSE),
        ({"choices": ["abc"]}, CallReason.BAD_RESPONSE),
        ({"choices": [{"message": "abc"}]}, CallReason.BAD_RESPONSE),
        ({"choices": [{"message": {}, "finish_reason": "error"}]}, CallReason.BAD_RESPONSE),
        (ERROR, CallReason.BAD_RESPONSE),
        (ERROR | {"choices": []}, CallReason.BAD_RESPONSE),
        ({"error": "overloaded"}, CallReason.BAD_RESPONSE),
        ({"detail": "Not Found"}, CallReason.BAD_RESPONSE),
        ({"code": "InvalidApiKey", "message": "无效的密钥"}, CallReason.BAD_RESPONSE),
        ({"error_code": 17, "error_msg": "limit"}, CallReason.BAD_RESPONSE),
        ("<!DOCTYPE html><html><body>Sign in</body></html>", CallReason.BAD_RESPONSE),
        ("", CallReason.BAD_RESPONSE),
        ("[]", CallReason.BAD_RESPONSE),
        ("null", CallReason.BAD_RESPONSE),
        ("data: {}\n\ndata: [DONE]\n\n", CallReason.BAD_RESPONSE),
        (b"\xff\xfe\x00", CallReason.BAD_RESPONSE),
        ("[" * 100_000, CallReason.BAD_RESPONSE),
    ],
)
def test_i37_a_200_without_usable_text_is_a_reason_and_never_an_exception(
    served, asking, body, reason
) -> None:
    for schema in ({}, {"schema": None}):
        with served(Sent(body)) as (client, server):
            reply = client.ask(asking(**schema))
            assert server.n_asked == 1
        assert reply.call.reason is reason
        assert reply.parsed is None


def test_the_words_of_a_refusal_and_a_page_in_place_of_a_reply_are_kept(served, asking) -> None:
    with served(Sent(completion(None, refusal="我不能判断。"))) as (client, _):
        assert client.ask(asking()).call.reply == "我不能判断。"
    page = "<html><body>企业网络登录</body></html>"
    with served(Sent(page, headers={"Content-Type": "text/html"})) as (client, _):
        call = client.ask(asking()).call
    assert call.reply == page
    assert "HTML" in call.detail


def test_a_compressed_reply_that_is_broken_is_a_reason(served, asking) -> None:
    with served(Sent("not gzip", headers={"Content-Encoding": "gzip"})) as (client, _):
        assert client.ask(asking()).call.reason in (
            CallReason.BAD_RESPONSE,
            CallReason.UNREACHABLE,
        )


def test_lone_surrogates_are_replaced_on_the_way_out_and_in(served, asking) -> None:
    raw = '{"choices":[{"finish_reason":"stop","message":{"content":"a\\ud800b"}}]}'
    with served(Sent(raw)) as (client, server):
        reply = client.ask(asking("问\udcff题", schema=None))
        assert server.asked[0].body["messages"][1]["content"] == "问?题"
    assert reply.call.reply == "a?b"
    (reply.call.reply + reply.call.sent).encode("utf-8")


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, (3, 4)),
        ({"prompt_tokens": "3", "completion_tokens": True}, (None, None)),
        ({"prompt_tokens": -1, "completion_tokens": 2**70}, (None, None)),
        (None, (None, None)),
        ([], (None, None)),
    ],
)
def test_tokens_are_those_the_endpoint_counts_or_unknown(served, asking, usage, expected) -> None:
    body = completion(GOOD) | {"usage": usage}
    priced = {"price_prompt": 1.0, "price_completion": 10.0}
    with served(Sent(body), **priced) as (client, _):
        call = client.ask(asking()).call
    assert (call.prompt_tokens, call.completion_tokens) == expected
    assert call.cost == (pytest.approx(43e-6) if expected == (3, 4) else None)


def test_without_a_price_the_cost_is_unknown_and_not_0(served, asking) -> None:
    with served(answering(GOOD)) as (client, _):
        assert client.ask(asking()).call.cost is None


@pytest.mark.parametrize("fingerprint", [None, 7, {"a": 1}])
def test_an_odd_fingerprint_is_none(served, asking, fingerprint) -> None:
    with served(Sent(completion(GOOD) | {"system_fingerprint": fingerprint})) as (client, _):
        assert client.ask(asking()).call.fingerprint == ""


@pytest.mark.parametrize(
    ("status", "message", "reason"),
    [
        (400, "Invalid value for model", CallReason.REJECTED),
        (401, "Incorrect API key provided", CallReason.REJECTED),
        (402, "Payment Required", CallReason.REJECTED),
        (403, "response_format is not for you", CallReason.REJECTED),
        (404, "The model `tiny` does not exist", CallReason.REJECTED),
        (405, "", CallReason.REJECTED),
        (413, "Request Entity Too Large", CallReason.REJECTED),
        (422, "bad", CallReason.REJECTED),
        (400, "This model's maximum context length is 8192 tokens", CallReason.CONTEXT_TOO_LONG),
        (400, "the request exceeds the available context size", CallReason.CONTEXT_TOO_LONG),
        (400, "prompt is too long: 210000 tokens", CallReason.CONTEXT_TOO_LONG),
        (400, "response_format: maximum context length", CallReason.CONTEXT_TOO_LONG),
        (400, "输入内容长度超过上限，输入过长", CallReason.CONTEXT_TOO_LONG),
        (400, "Range of input length should be [1, 6000]", CallReason.CONTEXT_TOO_LONG),
        (400, "triggering Azure's content management policy", CallReason.FILTERED),
        (400, "系统检测到输入包含敏感内容", CallReason.FILTERED),
    ],
)
def test_a_refused_request_is_told_in_the_words_of_the_server_and_not_repeated(
    served, asking, status, message, reason
) -> None:
    with served(failing(status, message)) as (client, server):
        call = client.ask(asking()).call
        assert server.n_asked == 1
    assert call.reason is reason
    assert f"answered {status}" in call.detail
    assert message in call.detail


def test_a_long_message_of_a_server_is_shortened_to_one_line(served, asking) -> None:
    with served(failing(400, "x\n" * 5000)) as (client, _):
        detail = client.ask(asking()).call.detail
    assert len(detail) < 400
    assert "\n" not in detail


def test_what_a_terminal_would_obey_is_left_out_of_a_message(served, asking) -> None:
    with served(failing(400, "a\x1b[31mb\u202ec\x07")) as (client, _):
        assert "a[31mbc" in client.ask(asking()).call.detail


def test_i27_i28_one_bad_reply_among_six_leaves_the_other_five(served, asking) -> None:
    replies = [answering(GOOD)] * 6
    replies[2] = answering("Sorry")
    with served(*replies) as (client, _):
        reasons = [client.ask(asking(f"question {n}")).call.reason for n in range(6)]
    assert [r for r in reasons if r] == [CallReason.INVALID_JSON]


def test_i44_i46_temperature_and_seed_are_sent_and_no_tools(served, asking) -> None:
    with served(answering(GOOD)) as (client, server):
        reply = client.ask(asking())
        body = server.asked[0].body
    assert (body["temperature"], body["seed"], body["model"]) == (0.0, 0, "tiny")
    assert body["response_format"]["type"] == "json_schema"
    assert not {"tools", "tool_choice", "functions", "stream"} & set(body)
    assert reply.call.fingerprint == "fp_scripted"


def test_temperature_and_seed_that_are_none_are_not_sent(served, asking) -> None:
    with served(answering(GOOD), temperature=None, seed=None) as (client, server):
        client.ask(asking())
        assert not {"temperature", "seed"} & set(server.asked[0].body)
