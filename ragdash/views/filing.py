"""The file that a chunk was read from: found by its digest in the corpus folder of the run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ragdash.core.fingerprint import digest_file
from ragdash.ingest.folder import is_corpus
from ragdash.ingest.staging import HEAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.views.frame import RunFacts

_DIGEST = re.compile("sha256:([0-9a-f]{64})")
_MOST_CORPORA = 50


class NoFiling(StrEnum):
    """Why there is no page of a PDF to be shown."""

    IMPORTED = "imported"
    NOT_NAMED = "not_named"
    NOT_PDF = "not_pdf"
    NO_CORPUS = "no_corpus"
    NO_FILE = "no_file"
    OTHER_BYTES = "other_bytes"


@dataclass(frozen=True, slots=True)
class Filing:
    """A PDF of a corpus; mtime and size tell it from another under the same path."""

    path: Path
    sha256: str
    mtime_ns: int
    size: int

    def is_unchanged(self) -> bool:
        """Whether the file still is the one that was read."""
        return digest_file(self.path) == self.sha256


def corpora(facts: RunFacts, store: Path) -> tuple[Path, ...]:
    """Return the folders that may hold the files of a run, the one that it names first.

    That folder may have moved, so that those of the store follow whose chunks the run used.
    """
    corpus = facts.environment.get("corpus")
    named = corpus.get("folder") if isinstance(corpus, dict) else None
    own = sorted((store / "corpora").glob("*/"))[:_MOST_CORPORA]
    kept = [folder for folder in own if _digest_of(folder) == facts.corpus_digest]
    first = [Path(named)] if isinstance(named, str) and "\x00" not in named else []
    return tuple(folder for folder in (*first, *kept) if _holds_a_corpus(folder))


def brings_files(facts: RunFacts) -> bool:
    """Return whether a run was made from files: an import holds texts alone."""
    return not facts.config.get("imported")


def _holds_a_corpus(folder: Path) -> bool:
    try:
        return folder.is_absolute() and is_corpus(folder)
    except (OSError, ValueError):
        return False


def _digest_of(folder: Path) -> str | None:
    try:
        head = json.loads((folder / HEAD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return head.get("digest") if isinstance(head, dict) else None


def filing(folders: Sequence[Path], file: str | None, sha256: str | None) -> Filing | NoFiling:
    """Return the original of a document, or why there is none.

    Its place is made of its digest alone; the name that a manifest gave it only says whether it is
    a PDF.

    Args:
        folders: of corpora.
        file: the name of the document.
        sha256: its tagged digest.
    """
    if not file:
        return NoFiling.NOT_NAMED
    if not file.lower().endswith(".pdf"):
        return NoFiling.NOT_PDF
    known = _DIGEST.fullmatch(sha256 or "")
    if known is None:
        return NoFiling.NO_FILE
    for folder in folders:
        path = folder / "files" / f"{known[1]}.pdf"
        try:
            facts = path.stat()
        except OSError:
            continue
        return Filing(path, known[0], facts.st_mtime_ns, facts.st_size)
    return NoFiling.NO_FILE if folders else NoFiling.NO_CORPUS
