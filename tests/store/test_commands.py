from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from ragdash.cli import invoke
from ragdash.cli.serve import Listening, server_command
from ragdash.core.retrieval import Mode
from ragdash.store.journal import Journal
from ragdash.store.registry import Registry
from ragdash.store.runfile import publish

RUN = "20261130-0936-demo-3f2a"
CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def template(tmp_path_factory, make_info, make_result):
    store = tmp_path_factory.mktemp("template") / "store"
    with Journal.create(store, make_info(RUN, modes=(Mode.HYBRID,)), ["q1"]) as journal:
        journal.append(make_result("q1", Mode.HYBRID))
        publish(store, journal, "2026-11-30T10:00:00Z")
    return store


@pytest.fixture
def whole(template, store):
    shutil.copytree(template, store)
    return store


def test_tag_says_what_the_name_stands_for_and_stood_for(whole, capsys):
    assert (
        invoke(["tag", f"{RUN}:hybrid", "baseline", "--reason", "好", "--store", str(whole)]) == 0
    )
    assert invoke(["tag", RUN, "baseline", "--reason", "more", "--store", str(whole)]) == 0

    printed = capsys.readouterr().out.splitlines()
    assert printed == [
        f"baseline is now {RUN}:hybrid",
        f"baseline is now {RUN} (was {RUN}:hybrid)",
    ]
    with closing(Registry.open(whole)) as registry:
        assert [tag.reason for tag in registry.tag_history()] == ["好", "more"]
        assert registry.tags()["baseline"].author


def test_a_ref_that_names_nothing_is_one_sentence_and_exit_2(whole, capsys):
    code = invoke(["tag", f"{RUN}:dense", "baseline", "--reason", "x", "--store", str(whole)])

    assert code == 2
    assert capsys.readouterr().err == (
        f"ragdash: '{RUN}:dense' names nothing: run {RUN} has hybrid, not 'dense'\n"
    )


@pytest.mark.parametrize("arguments", [["tag", RUN, "x", "--reason", "x"], ["db", "check"]])
def test_a_mistyped_store_is_one_sentence_and_makes_no_folder(store, capsys, arguments):
    assert invoke([*arguments, "--store", str(store)]) == 3

    assert f"there is no store at {store}" in capsys.readouterr().err
    assert not store.exists()


def test_check_of_a_whole_store_ends_with_0(whole, capsys):
    assert invoke(["db", "check", "--store", str(whole)]) == 0

    assert capsys.readouterr().out == "1 run file is whole\n"


def test_check_names_a_damaged_file_and_ends_with_3(whole, capsys):
    path = whole / "runs" / f"{RUN}.duckdb"
    path.write_bytes(path.read_bytes()[:70_000])

    assert invoke(["db", "check", "--store", str(whole)]) == 3

    captured = capsys.readouterr()
    assert f"damaged: run file {path} cannot be read" in captured.err
    assert captured.out == "0 run files are whole\n"


def test_a_port_in_use_is_one_sentence_and_exit_3(store, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        assert invoke(["serve", "--store", str(store), "--port", str(port)]) == 3

    assert f"ragdash: port {port} on 127.0.0.1 cannot be used" in capsys.readouterr().err


def test_the_server_is_told_to_stay_on_this_machine_and_to_send_nothing():
    command = server_command(Path("app.py"), Listening())

    assert command[:5] == [sys.executable, "-m", "streamlit", "run", "app.py"]
    assert "--server.address=127.0.0.1" in command
    assert {a for a in command if "allowedHosts" in a} == {
        "--server.allowedHosts=localhost",
        "--server.allowedHosts=127.0.0.1",
    }
    assert "--browser.gatherUsageStats=false" in command
    assert "--client.showErrorDetails=type" in command


def test_serve_becomes_the_server_so_that_a_signal_ends_it(whole):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "ragdash.cli", "serve", "--store", str(whole), "--port", str(port)],
        cwd=CHECKOUT,
        # A user's own setting must not open the server to the network.
        env={**os.environ, "STREAMLIT_SERVER_ADDRESS": "0.0.0.0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert healthy(process, port)
        assert answers("localhost", port)
        assert listens_only_here(port)
    finally:
        process.terminate()
        printed = process.communicate(timeout=20)[0]
    assert "Traceback" not in printed
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def healthy(process, port):
    for _ in range(300):
        assert process.poll() is None, process.stdout.read()
        if answers("127.0.0.1", port):
            return True
        time.sleep(0.1)
    return False


def answers(host, port):
    try:
        with closing(HTTPConnection(host, port, timeout=5)) as connection:
            connection.request("GET", "/_stcore/health")
            return connection.getresponse().status == 200
    except OSError:
        return False


def listens_only_here(port):
    listening = Path("/proc/net/tcp")
    if not listening.exists():
        return True
    rows = [line.split() for line in listening.read_text().splitlines()[1:]]
    found = {row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{port:04X}")}
    return found == {f"0100007F:{port:04X}"}
