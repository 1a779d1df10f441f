"""Models behind an endpoint, over real HTTP against a scripted server on this machine."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from ragdash.core.errors import ConfigError, EnvironmentError_
from ragdash.models.loading import load_embedder, load_reranker

VECTORS = {"ragdash": [1.0, 0.0], "营业收入": [3.0, 4.0], "net sales": [0.0, 2.0], " ": [1.0, 1.0]}


def embed(body):
    data = [{"index": i, "embedding": VECTORS[t]} for i, t in enumerate(body["input"])]
    return 200, {"data": data[::-1]}


def rerank(body):
    score = [float(len(set(body["query"]) & set(d))) for d in body["documents"]]
    ranked = sorted(range(len(score)), key=lambda i: -score[i])
    return 200, {"results": [{"index": i, "relevance_score": score[i]} for i in ranked]}


@contextmanager
def serving(*replies):
    """A server that gives the replies in turn, the last one for ever; yields (url, requests)."""
    asked: list[tuple[str, dict, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, body, self.headers.get("Authorization", "")))
            reply = replies[min(len(asked), len(replies)) - 1]
            status, value = reply(body) if callable(reply) else reply
            raw = value.encode() if isinstance(value, str) else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.send_header("Retry-After-Ms", "1")
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_vectors_come_in_the_order_of_the_texts_and_at_unit_length() -> None:
    with serving(embed) as (url, asked):
        embedder = load_embedder(f"endpoint:e5/large@{url}")
        found = embedder.encode_passages(["营业收入", "net sales", ""])
    expected = [[0.6, 0.8], [0, 1], [2**-0.5, 2**-0.5]]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert found.dtype == np.float32
    assert embedder.identity.dimension == 2
    assert embedder.identity.digest.startswith("endpoint:")
    assert [path for path, *_ in asked] == ["/v1/embeddings"] * 2
    assert asked[1][1]["model"] == "e5/large"


def test_long_lists_are_asked_in_batches_and_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    with serving(embed) as (url, asked):
        embedder = load_embedder(f"endpoint:m@{url}")
        found = embedder.encode_passages(["net sales"] * 130, lambda *at: told.append(at))
    assert found.shape == (130, 2)
    assert [len(body["input"]) for _, body, _ in asked] == [1, 64, 64, 2]
    assert told == [(64, 130), (128, 130), (130, 130)]


def test_rerank_scores_come_in_the_order_of_the_passages() -> None:
    with serving(rerank) as (url, asked):
        reranker = load_reranker(f"endpoint:jina@{url}")
        scores = reranker.score("净利润", ["营业收入", "净利润", "利润"])
        assert len(reranker.score("q", [])) == 0
    assert scores.tolist() == [0.0, 3.0, 2.0]
    assert [path for path, *_ in asked] == ["/v1/rerank"]


def test_a_busy_endpoint_is_asked_again_and_the_key_is_sent(monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with serving((429, {"error": "busy"}), (503, {}), embed) as (url, asked):
        assert load_embedder(f"endpoint:m@{url}").identity.dimension == 2
    assert [key for *_, key in asked] == ["Bearer sk-test"] * 3


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ((401, {"error": {"message": "no"}}), "answered 401; is OPENAI_API_KEY right"),
        ((404, {}), "answered 404"),
        ((500, {}), "answered 500"),
        ((200, "<html>"), "no /embeddings result"),
        ((200, {"data": []}), "0 results for 1 texts"),
        ((200, {"data": [{"index": 1, "embedding": [1.0]}]}), "1 results for 1 texts"),
        ((200, {"data": [{"index": 0, "embedding": []}]}), "no /embeddings result"),
        ((200, {"data": [{"index": 0, "embedding": ["1"]}]}), "no /embeddings result"),
        ((200, {"data": [{"index": 0, "embedding": [0.0, 0.0]}]}), "without a direction"),
        ((200, '{"data": [{"index": 0, "embedding": [NaN]}]}'), "no /embeddings result"),
        ((200, '{"data": [{"index": 0, "embedding": [1e999]}]}'), "no /embeddings result"),
    ],
)
def test_a_reply_that_is_no_embedding_is_one_sentence(reply, words) -> None:
    with serving(reply) as (url, _), pytest.raises(EnvironmentError_, match=words) as error:
        load_embedder(f"endpoint:m@{url}")
    assert url in str(error.value)


@pytest.mark.parametrize(
    "results",
    [
        [{"index": 0, "relevance_score": 1.0}],
        [{"index": 0, "relevance_score": 1.0}, {"index": 0, "relevance_score": 1.0}],
        [{"index": 0, "relevance_score": 1.0}, {"index": 1, "relevance_score": True}],
        [{"index": 0, "relevance_score": 1.0}, {"index": 1, "relevance_score": None}],
    ],
)
def test_a_passage_left_out_or_unscored_is_never_a_score_of_0(results) -> None:
    with serving((200, {"results": results})) as (url, _):
        reranker = load_reranker(f"endpoint:m@{url}")
        with pytest.raises(EnvironmentError_, match=r"results for 2 texts|no /rerank result"):
            reranker.score("q", ["a", "b"])


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    with serving(embed) as (url, _):
        pass
    with pytest.raises(EnvironmentError_, match="cannot be reached"):
        load_embedder(f"endpoint:m@{url}")


@pytest.mark.parametrize(
    "spec", ["endpoint:m", "endpoint:@http://x", "endpoint:m@ftp://x", "endpoint:m@http://u:p@x/v1"]
)
def test_a_spec_without_model_or_url_is_refused(spec) -> None:
    with pytest.raises(ConfigError, match="endpoint:MODEL@https"):
        load_reranker(spec)


def test_elsewhere_a_key_is_needed_before_anything_is_sent() -> None:
    with pytest.raises(EnvironmentError_, match="set OPENAI_API_KEY"):
        load_reranker("endpoint:jina-reranker-v2@https://api.jina.invalid/v1")
