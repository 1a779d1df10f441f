from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from ragdash.core.errors import ConfigError, ModelNotFound
from ragdash.models.spec import Role, resolve

if TYPE_CHECKING:
    from pathlib import Path

SHA = "5617a9f61b028005a4858fdac845db406aefb181"
RESOLVE = """
import sys
from ragdash.core.errors import ModelNotFound
from ragdash.models.spec import Role, resolve
try:
    found = resolve(Role.EMBEDDER, sys.argv[1])
    print(found.digest, found.folder)
except ModelNotFound as error:
    print(error)
"""


@pytest.mark.parametrize(
    "spec",
    ["", "e5-small", "BAAI/bge-m3", "embedded:", "path:", "hub:bge-m3", "hub:a/b@", "file:x", ":"],
)
def test_a_text_of_no_known_form_names_the_forms(spec: str) -> None:
    forms = r"embedded:NAME .*path:DIR, hub:ORG/NAME@REVISION, or endpoint:MODEL@URL"
    with pytest.raises(ConfigError, match=forms):
        resolve(Role.EMBEDDER, spec)


def test_an_embedded_name_of_the_other_role_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"the embedder 'embedded:e5-joint'.*there is e5-small"):
        resolve(Role.EMBEDDER, "embedded:e5-joint")
    with pytest.raises(ConfigError, match=r"the reranker 'embedded:x'.*e5-joint, e5-maxsim"):
        resolve(Role.RERANKER, "embedded:x")


@pytest.mark.parametrize("spec", ["./no", "/no/such", "~/no/such/model", "path:no/such"])
def test_a_missing_directory_is_said_to_be_missing(spec: str) -> None:
    shown = spec.removeprefix("path:")
    with pytest.raises(ModelNotFound, match=f"model directory {shown} does not exist"):
        resolve(Role.RERANKER, spec)


def test_a_directory_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match=r"holds neither config.json nor modules.json"):
        resolve(Role.EMBEDDER, f"path:{tmp_path}")


def _resolve_with(hub: Path, spec: str, *, offline: bool) -> str:
    environment = {**os.environ, "HF_HOME": str(hub), "HF_HUB_OFFLINE": "1" if offline else ""}
    # a port that nobody listens on, so that the network is refused at once and never left
    environment["HF_ENDPOINT"] = "http://127.0.0.1:9"
    done = subprocess.run(
        [sys.executable, "-c", RESOLVE, spec],
        env=environment, capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    return done.stdout.strip()


def _cached(hub: Path, *names: str) -> Path:
    repo = hub / "hub" / "models--some--model"
    (repo / "refs").mkdir(parents=True)
    (repo / "refs" / "main").write_text(SHA)
    folder = repo / "snapshots" / SHA
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_bytes(b"{}")
    return folder


def test_offline_the_network_is_not_tried_and_the_sentence_says_so(tmp_path: Path) -> None:
    started = time.monotonic()
    said = _resolve_with(tmp_path, "hub:some/model@main", offline=True)
    assert said.startswith("the embedder 'hub:some/model@main' is not to be had here")
    assert "HF_HUB_OFFLINE is set" in said
    assert "path:DIR" in said
    assert time.monotonic() - started < 15


def test_a_cached_revision_is_used_without_the_network(tmp_path: Path) -> None:
    folder = _cached(tmp_path, "config.json", "model.safetensors")
    for spec in ("hub:some/model@main", "hub:some/model", f"hub:some/model@{SHA}"):
        said = _resolve_with(tmp_path, spec, offline=spec.endswith("main"))
        assert said == f"commit:{SHA} {folder}"


def test_a_cache_with_the_config_but_no_weights_does_not_count(tmp_path: Path) -> None:
    _cached(tmp_path, "config.json")
    assert "HF_HUB_OFFLINE is set" in _resolve_with(tmp_path, "hub:some/model", offline=True)


def test_an_unreachable_hub_is_one_sentence(tmp_path: Path) -> None:
    said = _resolve_with(tmp_path, "hub:some/model@main", offline=False)
    assert said.startswith("the embedder 'hub:some/model@main' is not to be had here")
    assert "the hub answered" in said
    assert "\n" not in said
