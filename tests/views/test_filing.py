from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ragdash.views.filing import Filing, NoFiling, corpora, filing
from ragdash.views.frame import facts

if TYPE_CHECKING:
    from pathlib import Path

    from ragdash.views.frame import RunFacts
    from ragdash.views.query import Cursor

DIGEST = "sha256:" + "1" * 64
BYTES = b"%PDF-1.4 the bytes"
SHA = "sha256:" + hashlib.sha256(BYTES).hexdigest()


def corpus(folder: Path, digest: str = DIGEST) -> Path:
    (folder / "files").mkdir(parents=True)
    (folder / "corpus.json").write_text(json.dumps({"schema": 1, "digest": digest}))
    (folder / "files" / f"{SHA.removeprefix('sha256:')}.pdf").write_bytes(BYTES)
    return folder


def of_run(cursor: Cursor, folder: object = None) -> RunFacts:
    return replace(facts(cursor), corpus_digest=DIGEST, environment={"corpus": {"folder": folder}})


def test_the_folder_that_a_run_names_comes_first_and_the_stores_own_after_it(
    cursor: Cursor, tmp_path: Path
) -> None:
    named = corpus(tmp_path / "elsewhere")
    own = corpus(tmp_path / "store" / "corpora" / "demo")
    corpus(tmp_path / "store" / "corpora" / "other", "sha256:" + "2" * 64)
    assert corpora(of_run(cursor, str(named)), tmp_path / "store") == (named, own)


@pytest.mark.parametrize(
    "folder", [None, "", "relative", 7, "nul\x00", "/no/such/folder", "\udc80", ["/"]]
)
def test_a_folder_that_is_none_is_left_out(cursor: Cursor, tmp_path: Path, folder: object) -> None:
    assert corpora(of_run(cursor, folder), tmp_path / "store") == ()


def test_a_folder_without_a_corpus_is_left_out(cursor: Cursor, tmp_path: Path) -> None:
    assert corpora(of_run(cursor, str(tmp_path)), tmp_path / "store") == ()


def test_a_file_is_found_by_its_digest_and_told_from_another_by_its_bytes(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "corpus")
    found = filing((tmp_path / "gone", folder), "年报.PDF", SHA)
    assert isinstance(found, Filing)
    assert found.path.parent == folder / "files"
    assert found.is_unchanged()
    found.path.write_bytes(b"%PDF-1.4 other bytes")
    again = filing((folder,), "年报.PDF", SHA)
    assert isinstance(again, Filing)
    assert not again.is_unchanged()
    assert again != found


@pytest.mark.parametrize(
    ("file", "sha256", "code"),
    [
        ("a.html", SHA, NoFiling.NOT_PDF),
        ("a.txt", SHA, NoFiling.NOT_PDF),
        (None, None, NoFiling.NOT_NAMED),
        ("a.pdf", None, NoFiling.NO_FILE),
        ("a.pdf", "sha256:" + "0" * 64, NoFiling.NO_FILE),
        ("a.pdf", "sha256:../../../../etc/passwd", NoFiling.NO_FILE),
        ("../../a.pdf", SHA + "/../x", NoFiling.NO_FILE),
        ("a.pdf", SHA.upper(), NoFiling.NO_FILE),
    ],
)
def test_no_path_is_made_of_anything_but_a_digest(
    tmp_path: Path, file: str | None, sha256: str | None, code: NoFiling
) -> None:
    assert filing((corpus(tmp_path / "corpus"),), file, sha256) is code


def test_without_any_corpus_that_is_what_is_said(tmp_path: Path) -> None:
    assert filing((), "a.pdf", SHA) is NoFiling.NO_CORPUS
    assert filing((tmp_path,), "a.pdf", SHA) is NoFiling.NO_FILE
