"""The cache of model calls: kept whole, by many threads, seen and cleared."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.cli import invoke
from ragdash.core.call import Call, CallReason, Level
from ragdash.core.errors import StoreError
from ragdash.store.calls import CallStore
from ragdash.store.check import check
from ragdash.store.layout import calls_file
from ragdash.store.sqlite import open_writer

CALL = Call(
    stage="judge",
    purpose="faithfulness",
    host="127.0.0.1:8000",
    model="tiny",
    prompt_digest="sha256:p",
    level=Level.JSON_OBJECT,
    sent="",
    reply='{"score": 1, "依据": "是"}',
    finish_reason="stop",
    fingerprint="fp",
    prompt_tokens=20,
    completion_tokens=10,
    cost=0.25,
    seconds=1.5,
    tries=2,
    repeat=3,
    part=4,
)
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)

texts = st.text(st.characters(exclude_categories=["Cs"]))
counts = st.none() | st.integers(0, 2**40)
calls = st.builds(
    Call,
    stage=texts,
    purpose=texts,
    host=texts,
    model=texts,
    prompt_digest=texts,
    level=st.sampled_from(Level),
    sent=texts,
    reply=texts,
    prompt_tokens=counts,
    completion_tokens=counts,
    cost=st.none() | st.floats(0, 1e6),
    seconds=st.floats(0, 1e6),
    tries=st.integers(0, 99),
    repeat=st.integers(0, 99),
    part=st.integers(0, 99),
)


def test_a_call_is_kept_as_it_is_and_is_there_after_opening_again(store) -> None:
    with CallStore(store) as cache:
        assert cache.get("a") is None
        cache.put("a", CALL)
        assert cache.get("a") == CALL
    with CallStore(store) as cache:
        assert cache.get("a") == CALL
        assert cache.get("b") is None


def test_any_call_comes_back_equal(store) -> None:
    with CallStore(store) as cache:

        @settings(deadline=None, max_examples=40)
        @given(calls)
        def keep(call):
            cache.put("k", call)
            assert cache.get("k") == call

        keep()


@pytest.mark.parametrize("reason", [r for r in CallReason if r])
def test_a_call_that_gave_nothing_is_not_kept(store, reason) -> None:
    with CallStore(store) as cache:
        cache.put("a", replace(CALL, reason=reason))
        assert cache.get("a") is None


def test_many_threads_and_two_connections_lose_nothing(store) -> None:
    with CallStore(store) as one, CallStore(store) as two, ThreadPoolExecutor(16) as pool:

        def put(n):
            (one, two)[n % 2].put(f"k{n}", replace(CALL, part=n))

        list(pool.map(put, range(200)))
        assert [one.get(f"k{n}").part for n in range(200)] == list(range(200))
        assert one.show()[0].n == 200


def test_who_waits_behind_a_failed_commit_sees_an_error_or_is_kept(store) -> None:
    cache = CallStore(store)
    with closing(open_writer(calls_file(store))) as other:
        other.execute("DROP TABLE calls")
    errors = []

    def put(n):
        try:
            cache.put(f"k{n}", CALL)
        except StoreError as error:
            errors.append(error)

    threads = [threading.Thread(target=put, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 8
    cache.close()


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from ragdash.store.calls import CallStore
from ragdash.store.check import check
from ragdash.core.call import Call, Level
cache = CallStore(Path(sys.argv[1]))
for n in range(10_000):
    cache.put(f"k{n}", Call("s", "p", "h", "m", "d", Level.TEXT, "", "r"))
    print(n, flush=True)
"""


def test_after_a_kill_every_call_that_was_put_is_there(store, request) -> None:
    root = str(request.config.rootpath)
    command = [sys.executable, "-c", KILLED, str(store), root]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        last = 0
        while last < 20:
            last = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
        last = max([last, *(int(line) for line in process.stdout if line.endswith("\n"))])
    with CallStore(store) as cache:
        assert all(cache.get(f"k{n}") for n in range(last + 1))


def test_totals_are_by_host_model_and_stage_and_what_is_unknown_is_counted(store) -> None:
    times = iter([NOON, NOON + timedelta(hours=1), NOON + timedelta(hours=2)])
    with CallStore(store, now=lambda: next(times)) as cache:
        cache.put("a", CALL)
        cache.put("b", replace(CALL, cost=None, completion_tokens=None))
        cache.put("c", replace(CALL, stage="generate", model="other"))
        other, tiny = cache.show()
    assert (other.model, other.stage, other.n, other.tokens, other.cost) == (
        *("other", "generate"),
        *(1, 30, 0.25),
    )
    assert (tiny.n, tiny.tokens, tiny.n_untold, tiny.cost, tiny.n_unpriced) == (2, 30, 1, 0.25, 1)
    assert (tiny.oldest, tiny.newest) == ("2026-11-30T12:00:00+00:00", "2026-11-30T13:00:00+00:00")


@pytest.mark.parametrize(
    ("which", "left"),
    [
        ({}, []),
        ({"model": "tiny"}, ["c"]),
        ({"model": "nobody' OR '1'='1"}, ["a", "b", "c"]),
        ({"before": NOON + timedelta(hours=1)}, ["b", "c"]),
        ({"model": "tiny", "before": NOON + timedelta(hours=9)}, ["c"]),
    ],
)
def test_what_is_cleared_is_gone_from_the_file_too(store, which, left) -> None:
    times = iter([NOON, NOON + timedelta(hours=1), NOON + timedelta(hours=2)])
    with CallStore(store, now=lambda: next(times)) as cache:
        for key, model in (("a", "tiny"), ("b", "tiny"), ("c", "other")):
            cache.put(key, replace(CALL, model=model, reply=f"the reply of {key}"))
        assert cache.clear(**which) == 3 - len(left)
        assert [k for k in "abc" if cache.get(k)] == left
        raw = b"".join(p.read_bytes() for p in store.glob("calls.sqlite*"))
    assert [k for k in "abc" if f"the reply of {k}".encode() in raw] == left


def test_a_call_of_another_version_is_asked_again(store) -> None:
    with CallStore(store) as cache:
        cache.put("a", CALL)
        with closing(open_writer(calls_file(store))) as other:
            other.execute('UPDATE calls SET payload = \'{"of": "another version"}\'')
        assert cache.get("a") is None
        cache.put("a", CALL)
        assert cache.get("a") == CALL


def test_a_damaged_cache_and_a_newer_one_are_one_sentence(store) -> None:
    store.mkdir()
    calls_file(store).write_bytes(b"no sqlite" * 200)
    with pytest.raises(StoreError, match=r"calls\.sqlite"):
        CallStore(store)
    calls_file(store).unlink()
    CallStore(store).close()
    with closing(open_writer(calls_file(store))) as other:
        other.execute("INSERT INTO schema_steps VALUES (99, 'later')")
    with pytest.raises(StoreError, match="version 99"):
        CallStore(store)


def test_db_check_reads_the_cache_and_names_it_where_it_is_damaged(store) -> None:
    with CallStore(store) as cache:
        cache.put("a", CALL)
    assert check(store).damaged == []
    whole = calls_file(store).read_bytes()
    for raw in (b"no sqlite" * 200, whole[: len(whole) - 2000], whole[:4096] + b"x" * 9000):
        calls_file(store).write_bytes(raw)
        (sentence,) = check(store).damaged
        assert "calls.sqlite" in sentence
        assert "paid, again" in sentence


# ------------------------------------------------------------ ragdash calls


@pytest.fixture
def filled(store):
    with CallStore(store, now=lambda: NOON) as cache:
        cache.put("a", CALL)
        cache.put("b", replace(CALL, model="o\x1b[31mdd", cost=None, prompt_tokens=None))
    return str(store)


def test_show_prints_a_line_each_and_no_terminal_codes(filled, capsys) -> None:
    assert invoke(["calls", "show", "--store", filled]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    head, odd, tiny = out.splitlines()
    assert head.split() == ["host", "model", "stage", "calls", "tokens", "cost", "asked"]
    assert odd.split()[3:] == ["1", "untold", "no", "price", "2026-11-30T12:00:00+00:00"]
    assert tiny.split()[3:6] == ["1", "30", "0.2500"]
    assert invoke(["calls", "show", "--store", filled, "--json"]) == 0
    assert [json.loads(x)["n"] for x in capsys.readouterr().out.splitlines()] == [1, 1]


def test_clear_forgets_what_is_named_and_everything_only_with_yes(filled, capsys) -> None:
    assert invoke(["calls", "clear", "--store", filled]) == 2
    assert "--yes" in capsys.readouterr().err
    assert invoke(["calls", "clear", "--store", filled, "--before", "2026-11-30T11:00:00Z"]) == 0
    assert capsys.readouterr().out == "forgot 0 calls\n"
    assert invoke(["calls", "clear", "--store", filled, "--model", "tiny"]) == 0
    assert capsys.readouterr().out == "forgot 1 call\n"
    assert invoke(["calls", "clear", "--store", filled, "--yes"]) == 0
    assert invoke(["calls", "show", "--store", filled]) == 0
    assert capsys.readouterr().out.endswith("no calls are kept\n")


@pytest.mark.parametrize("when", ["soon", "-3d", "３d", "99999999999d", "", "d"])
def test_a_moment_that_is_none_is_refused(filled, capsys, when) -> None:
    assert invoke(["calls", "clear", "--store", filled, "--before", when]) == 2
    assert "--before" in capsys.readouterr().err


def test_an_age_is_counted_back_from_now(filled, capsys) -> None:
    for age, n in (("36500d", "0 calls"), ("0h", "2 calls")):
        past = datetime.now(UTC) > NOON
        assert invoke(["calls", "clear", "--store", filled, "--before", age]) == 0
        assert capsys.readouterr().out == f"forgot {n if past else '0 calls'}\n"


def test_a_store_without_calls_is_not_made_by_looking(store, capsys) -> None:
    assert invoke(["calls", "show", "--store", str(store)]) == 3
    assert "no cache of calls" in capsys.readouterr().err
    assert not store.exists()
