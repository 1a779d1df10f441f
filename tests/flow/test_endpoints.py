"""The real commands against a real HTTP endpoint on this machine: asked once, kept, resumed."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.cli import invoke
from ragdash.llm.loopback import Asked, Loopback, Sent, answering, failing, honouring
from ragdash.store.attach import attach
from ragdash.store.live import live_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CANARY = "sk-canary-0123456789abcdef"
PROBING = honouring()


def play(asked: Asked, delay: float = 0.0) -> Sent:
    """Generator and judge in one server: the first chunk's figure, and every claim supported."""
    form = asked.body.get("response_format") or {}
    if "field_" in json.dumps(form) or not form:
        return PROBING(asked) if callable(PROBING) else PROBING
    fields = form["json_schema"]["schema"]["properties"]
    said = asked.body["messages"][-1]["content"]
    reply: dict[str, Any] = {}
    if "status" in fields:
        reply = {"status": "refused", "answer": refusal(said), "citations": [], "amounts": []}
    elif "grades" in fields:
        n = len(re.findall(r"(?:片段|Chunk )\d+\|", said))
        reply = {"grades": [{"id": i, "grade": 1} for i in range(1, n + 1)]}
    return replace(answering(reply), delay=delay)


def refusal(said: str) -> str:
    return "未在所给资料中检索到" if "片段" in said else "Not found in the provided filings"


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(play) as found:
        yield found


@pytest.fixture
def slow() -> Iterator[Loopback]:
    with Loopback(lambda asked: play(asked, 0.1)) as found:
        yield found


def config(bench, folder: Path, server: Loopback, **more: str) -> Path:
    path = folder / "endpoints.toml"
    text = bench.config.read_text("utf-8")
    for section, model in (("generator", "writer"), ("judge", "reader")):
        text += (
            f'\n[{section}]\nkind = "endpoint"\nbase_url = "{server.url}"\nmodel = "{model}"\n'
            f'api_key_env = "CANARY_KEY"\n{more.get(section, "")}'
        )
    path.write_text(text + more.get("budget", ""), "utf-8")
    return path


def arguments(bench, folder: Path, path: Path, *more: str) -> list[str]:
    found = list(bench.run_arguments(folder / "store"))
    found[found.index("--config") + 1] = str(path)
    return [*found, "hybrid", *more]


@dataclass(frozen=True, slots=True)
class Said:
    """What a command printed."""

    stdout: str
    stderr: str


@pytest.fixture
def ragdash(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """A command in this process: loading torch anew for each would be most of the time."""
    monkeypatch.setenv("CANARY_KEY", CANARY)

    def run(*words: str, expect: int = 0) -> Said:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = invoke(list(words))
        assert code == expect, err.getvalue() + out.getvalue()
        return Said(out.getvalue(), err.getvalue())

    return run


def table(store: Path, query: str) -> list[tuple[Any, ...]]:
    """What the newest run file says, by file name."""
    return attach(max((store / "runs").glob("*.duckdb"))).execute(query).fetchall()


def test_a_run_keeps_every_call_and_a_second_run_asks_for_none(
    bench, ragdash, server, tmp_path
) -> None:
    path = config(bench, tmp_path, server, judge="repeats = 2\n")
    ragdash(*arguments(bench, tmp_path, path))
    store = tmp_path / "store"
    stages = dict(
        table(store, "SELECT stage, count(*) FROM run.calls WHERE reason = '' GROUP BY 1")
    )
    # Refusals are judged by nobody but for what was visible.
    assert stages == {"generate": 40, "judge": 80}
    assert table(store, "SELECT DISTINCT answer_status FROM run.results") == [("refused",)]
    (environment,) = table(store, "SELECT environment FROM run.meta")[0]
    said = json.loads(environment)
    assert said["self_judged"] is False
    assert said["endpoints"]["judge"]["probe"]["level"] == "json_schema"
    assert said["models"]["generator"]["model"] == "writer"

    asked = server.n_asked
    ragdash(*arguments(bench, tmp_path, path))
    probes = sum("field_" in json.dumps(a.body) or not a.body.get("response_format")
                 for a in list(server.asked)[asked:])  # fmt: skip
    assert server.n_asked - asked == probes
    shown = ragdash("calls", "show", "--store", str(store)).stdout
    assert "writer" in shown
    assert "reader" in shown


def test_the_key_is_nowhere(bench, server, tmp_path) -> None:
    path = config(bench, tmp_path, server)
    done = subprocess.run(
        bench.command(*arguments(bench, tmp_path, path, "--limit", "2")),
        capture_output=True, text=True, check=True,
        env={**bench.env(), "CANARY_KEY": CANARY, "OPENAI_LOG": "debug"},
    )  # fmt: skip
    assert server.asked[-1].headers["authorization"] == f"Bearer {CANARY}"
    said = done.stdout + done.stderr
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert CANARY.encode() not in file.read_bytes(), file
    assert CANARY not in said


def test_a_killed_run_asks_again_for_what_was_in_flight_and_no_more(
    bench, ragdash, slow, tmp_path
) -> None:
    path = config(bench, tmp_path, slow)
    words = arguments(bench, tmp_path, path)
    store = tmp_path / "store"
    process = subprocess.Popen(
        bench.command(*words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**bench.env(), "CANARY_KEY": CANARY},
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not (live_runs(store) and live_runs(store)[0].done >= 5):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (left,) = live_runs(store)
    assert left.done < left.total
    before = [key(a) for a in slow.asked if is_question(a)]
    ragdash(*words, "--resume", left.run_id)
    after = [key(a) for a in list(slow.asked) if is_question(a)][len(before) :]
    # Four of each endpoint may have been in flight.
    assert len(set(before) & set(after)) <= 8
    assert len(set(before) | set(after)) == 80
    assert table(store, "SELECT count(*) FROM run.results") == [(40,)]


def key(asked: Asked) -> str:
    return json.dumps([asked.body["model"], asked.body["messages"]], sort_keys=True)


def is_question(asked: Asked) -> bool:
    return bool(asked.body.get("response_format")) and "field_" not in json.dumps(asked.body)


def test_a_budget_ends_a_run_that_a_larger_one_resumes(bench, ragdash, server, tmp_path) -> None:
    small = config(bench, tmp_path, server, budget="\n[budget]\ncalls = 30\n")
    words = arguments(bench, tmp_path, small)
    done = ragdash(*words, expect=3)
    assert "over_budget" in done.stderr
    assert "--resume" in done.stderr
    (left,) = live_runs(tmp_path / "store")
    assert left.done < 40
    config(bench, tmp_path, server, budget="\n[budget]\ncalls = 500\n")
    ragdash(*words, "--resume", left.run_id)
    assert table(tmp_path / "store", "SELECT count(*) FROM run.results") == [(40,)]


def test_a_failing_endpoint_is_an_error_of_its_questions_and_the_exit_code(
    bench, ragdash, tmp_path
) -> None:
    def script(asked: Asked) -> Sent:
        return failing(400, "no") if is_question(asked) else play(asked)

    with Loopback(script) as server:
        path = config(bench, tmp_path, server)
        ragdash(*arguments(bench, tmp_path, path, "--limit", "3"), expect=1)
    store = tmp_path / "store"
    assert table(store, "SELECT DISTINCT outcome, answer_reason FROM run.results") == [
        ("error", "rejected")
    ]
    assert table(store, "SELECT status FROM run.meta") == [("partial",)]


def test_scoring_again_is_a_new_version_beside_the_old(bench, ragdash, server, tmp_path) -> None:
    done = ragdash(*arguments(bench, tmp_path, bench.config, "--limit", "4", "--json"))
    run_id = json.loads(done.stdout)["run"]
    store = tmp_path / "store"
    path = config(bench, tmp_path, server, judge="repeats = 3\n")
    before = (store / "runs" / f"{run_id}.duckdb").read_bytes()
    again = ragdash("rescore", run_id, "--config", str(path), "--store", str(store), "--json")
    assert json.loads(again.stdout)["version"] == 2
    assert (store / "runs" / f"{run_id}.duckdb").read_bytes() == before
    query = "SELECT count(*), count(DISTINCT repeat) FROM run.scores WHERE metric = ?"
    scores = attach(store / "runs" / f"{run_id}.2.duckdb").execute(query, ["context_relevance"])
    assert scores.fetchone() == (12, 3)
    assert {a.body["model"] for a in server.asked} == {"reader"}
    gates = ragdash("rescore", run_id, "--gates-only", "--store", str(store), "--json")
    assert json.loads(gates.stdout)["version"] == 3


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ({"CANARY_KEY": "NO_SUCH_KEY", "127.0.0.1": "example.invalid"}, "NO_SUCH_KEY"),
        ({"127.0.0.1": "no-such-host.invalid"}, "no-such-host.invalid"),
    ],
)
def test_a_bad_endpoint_is_one_sentence_and_leaves_no_store(
    bench, ragdash, server, tmp_path, spoil, said
) -> None:
    path = config(bench, tmp_path, server)
    text = path.read_text("utf-8")
    for old, new in spoil.items():
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    done = ragdash(*arguments(bench, tmp_path, path), expect=3)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "store").exists()


def test_probe_tells_what_is_honoured_and_by_whom(bench, ragdash, tmp_path) -> None:
    ignoring = honouring(
        json_schema=answering("Paris."), json_object=failing(400, "response_format")
    )
    with Loopback(ignoring) as server:
        path = config(bench, tmp_path, server)
        path.write_text(path.read_text("utf-8").replace('"reader"', '"writer"'), "utf-8")
        done = ragdash("probe", "--config", str(path), "--json")
        words = ragdash("probe", "--config", str(path)).stdout
    found = json.loads(done.stdout)
    assert found["judge"]["level"] == "text"
    assert found["self_judged"] is True
    assert "self_judged" in words
    refused = ragdash("probe", "--config", str(bench.config), expect=2)
    assert "names no endpoint" in refused.stderr
