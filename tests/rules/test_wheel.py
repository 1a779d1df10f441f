"""What is installed finds app, pages and data from any folder, with no checkout around it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
MOVED = ("app.py", "pages/", ".streamlit/", "data/")
LEFT_OUT = ("data/reports/source/", "data/attacks/source/", "data/models/source/")

# Runs where only the wheel is, and asks for every file that ships as its user does.
ASK = """
import json, sys
from ragdash import shipped
from ragdash.attack.cases import fixture_file, load_cases, published_fixtures
from ragdash.caliber import find_terms
from ragdash.cli.environment import code_digest, gates_digest
from ragdash.cli.serve import app_file
from ragdash.core.fingerprint import digest_file
from ragdash.ingest.manifest import load_manifest
from ragdash.models.joint import ADAPTER_DIGEST, adapter_file
from ragdash.questions import load_questions
from ragdash.recognise.folding import folded
from ragdash.recognise.names import alias_groups
from ragdash.store.layout import store_dir

asking = __import__("ragdash.recognise.asking", fromlist=["_asking"])
modules = [getattr(m, "__file__", None) for n, m in sys.modules.items() if n.startswith("ragdash")]
print(json.dumps({
    "app": str(app_file()),
    "store": str(store_dir(None)),
    "reports": len(load_manifest(shipped.path("data/reports/manifest.jsonl"))),
    "questions": len(load_questions(shipped.path("data/questions/demo.jsonl")).questions),
    "cases": [len(load_cases(f)) for f in (published_fixtures(), fixture_file("variants.jsonl"))],
    "adapter": digest_file(adapter_file()) == ADAPTER_DIGEST,
    "terms": len(find_terms("营业收入")),
    "folded": folded("茅臺"),
    "names": len(alias_groups()),
    "asking": len(asking._asking()),
    "digests": [code_digest(), gates_digest()],
    "modules": [m for m in modules if m],
}))
"""

# A page by itself, in a session that has seen no other: AppTest switches to the file.
OPEN = """
from streamlit import config
from streamlit.testing.v1 import AppTest
from ragdash import shipped
config.set_option("server.address", "127.0.0.1")
at = AppTest.from_file(str(shipped.PACKAGE / "ui" / "entry.py"), default_timeout=30)
at.run()
at.switch_page(str(shipped.path("pages") / "question.py")).run()
assert not at.exception, at.exception
print(at.title[0].value, "|", at.header[0].value)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout with no network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    (made,) = folder.glob("ragdash-*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's files as an installer lays them down."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def environment(installed: Path, home: Path) -> dict[str, str]:
    """A user's environment in which the wheel comes before the checkout."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("RAGDASH", "XDG"))}
    return kept | {"PYTHONPATH": str(installed), "HOME": str(home), "HF_HUB_OFFLINE": "1"}


def asked(installed: Path, folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, env=environment(installed, folder), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_every_tracked_file_of_the_app_is_in_the_wheel_and_no_source_of_data(wheel: Path) -> None:
    command = ["git", "ls-files", "-z", "ragdash", *MOVED]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {n for n in names.split("\0") if n and not n.startswith(LEFT_OUT)}
    wanted = {f"ragdash/_app/{n}" if n.startswith(MOVED) else n for n in tracked}
    there = set(zipfile.ZipFile(wheel).namelist())
    assert {n for n in wanted if (ROOT / n.removeprefix("ragdash/_app/")).is_file()} <= there
    assert not [n for n in there if n.startswith(tuple(f"ragdash/_app/{p}" for p in LEFT_OUT))]
    assert not [n for n in there if "store/" in n.removeprefix("ragdash/store/")]


def test_every_shipped_file_is_found_from_any_folder(installed: Path, tmp_path: Path) -> None:
    from ragdash.cli.environment import code_digest, gates_digest

    found: dict[str, Any] = json.loads(asked(installed, tmp_path, "-c", ASK))
    assert found["app"] == str(installed / "ragdash" / "_app" / "app.py")
    assert found["store"] == str(tmp_path / ".local" / "share" / "ragdash" / "store")
    assert (found["reports"], found["questions"], found["adapter"]) == (8, 61, True)
    assert (found["terms"], found["folded"]) == (1, "茅台")
    assert min(*found["cases"], found["names"], found["asking"]) > 5
    # A run from the wheel compares with one from the checkout: the code is the same.
    assert found["digests"] == [code_digest(), gates_digest()]
    assert [m for m in found["modules"] if not Path(m).is_relative_to(installed)] == []


def test_the_attacks_run_from_any_folder(installed: Path, tmp_path: Path) -> None:
    printed = asked(installed, tmp_path, "-m", "ragdash.cli", "attack", "--json")
    assert len({row["case_id"] for row in json.loads(printed)["rows"]}) == 6


def test_a_page_opens_from_any_folder_in_a_session_that_saw_no_other(
    installed: Path, tmp_path: Path
) -> None:
    assert asked(installed, tmp_path, "-c", OPEN).strip().endswith("| No runs yet")


def test_the_server_of_the_wheel_answers_with_our_headers(
    installed: Path, tmp_path: Path, serving: ModuleType
) -> None:
    port = serving.free_port()
    command = [sys.executable, "-m", "ragdash.cli", "serve", "--port", str(port)]
    address = f"http://127.0.0.1:{port}/_stcore/health"
    environ = environment(installed, tmp_path)
    with (
        serving.running(command, address, tmp_path, environ),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/question") as answer,
    ):
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
