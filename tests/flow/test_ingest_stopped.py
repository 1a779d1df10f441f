"""kill -9 while chunks are embedded, then the same command again: only the rest is embedded."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ragdash.cli import invoke
from ragdash.index.embeddings import BLOCK
from ragdash.models.tiny import write_tiny_embedder

if TYPE_CHECKING:
    from pathlib import Path

PAGES = 6 * BLOCK
COUNTED = re.compile(r"embedding chunks (\d+)/(\d+)")


def written(folder: Path) -> tuple[list[str], Path]:
    """Write a manifest of two languages and a model, and return the command's arguments."""
    embedder = write_tiny_embedder(folder / "embedder")
    entries = []
    for doc_id, lang, doc_type in (("zh", "zh", "annual"), ("en", "en", "10k")):
        rows = [
            {"doc_id": doc_id, "page": n, "text": _text(lang, n)}
            for n in range(1, PAGES // 2 + 1)
        ]  # fmt: skip
        (folder / f"{doc_id}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
        entries.append(
            {"doc_id": doc_id, "file": f"{doc_id}.jsonl", "company": f"Example {doc_id}",
             "period": "2023", "doc_type": doc_type, "lang": lang}
        )  # fmt: skip
    manifest = folder / "manifest.jsonl"
    manifest.write_text("".join(json.dumps(e) + "\n" for e in entries))
    corpus = folder / "corpus"
    return ["ingest", str(manifest), "--corpus", str(corpus), "--profile",
            f"path:{embedder}"], corpus  # fmt: skip


def _text(lang: str, n: int) -> str:
    return f"项目{n}营业收入为{n},{n:03d}.50万元。" if lang == "zh" else f"Item {n}: ${n},000."


def killed(arguments: list[str], folder: Path) -> int:
    """Start the command, kill it once a block is done, and return how many texts were kept."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ragdash.cli", *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if any(folder.rglob("blocks/*.vectors.npy")):
            process.send_signal(signal.SIGKILL)
            process.wait()
            return sum(len(np.load(path)) for path in folder.rglob("blocks/*.vectors.npy"))
        if process.poll() is not None:
            break
        time.sleep(0.002)
    process.kill()
    process.wait()
    pytest.fail("the command did not get to its first block, or past its last")


def test_an_ingest_that_was_killed_embeds_only_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, corpus = written(tmp_path)
    kept = killed(arguments, tmp_path)
    assert 0 < kept < PAGES
    assert not corpus.exists()

    assert invoke(arguments) == 0
    counted = [(int(a), int(b)) for a, b in COUNTED.findall(capsys.readouterr().err)]
    assert counted[-1] == (PAGES - kept, PAGES - kept)
    assert {total for _, total in counted} == {PAGES - kept}

    (vectors,) = corpus.rglob("vectors.npy")
    assert len(np.load(vectors)) == PAGES
    assert not [*tmp_path.rglob("blocks")]
    # nothing is left to be done, so a third call embeds nothing
    assert invoke(arguments) == 0
    assert COUNTED.findall(capsys.readouterr().err) == []
