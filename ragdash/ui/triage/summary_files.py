"""The summary of a triage as a file: Markdown or one HTML page, everything in it escaped."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragdash.ui import safe

if TYPE_CHECKING:
    from collections.abc import Sequence

# Whatever could mean something to a reader of Markdown, GitHub's tables and formulas included.
_MARKS = re.compile(r"[\\`*_{}\[\]()#+\-.!|~$:\"'=^@/]")
_STYLE = (
    "body{font:15px/1.6 'Source Sans 3','Noto Sans SC',sans-serif;max-width:72rem;margin:2rem auto;"
    "padding:0 1rem;color-scheme:light dark}table{border-collapse:collapse;margin:1rem 0}"
    "th,td{border:1px solid #8886;padding:.3rem .6rem;min-width:4rem;text-align:left;"
    "vertical-align:top;overflow-wrap:anywhere;white-space:pre-wrap}"
)


@dataclass(frozen=True, slots=True)
class Text:
    """What stands in the file; nothing of it is markup yet."""

    title: str
    sentences: Sequence[str]
    head: Sequence[str]
    counts: Sequence[Sequence[str]]
    columns: Sequence[str]
    reviews: Sequence[Sequence[str]]
    lang: str


def markdown(text: Text) -> str:
    """Return the file as Markdown; data in it reads as itself and as nothing else."""
    parts = [f"# {escaped(text.title)}", *(escaped(s) for s in text.sentences)]
    parts.append(_pipes(text.head, text.counts))
    parts.append(_pipes(text.columns, text.reviews))
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Return text for Markdown: marks escaped, breaks as <br>, hidden characters named."""
    lines = (line.strip() for line in safe.plain(text, None).split("\n"))
    return "<br>".join("".join(_mark(char) for char in line) for line in lines)


def _mark(char: str) -> str:
    return f"\\{char}" if _MARKS.fullmatch(char) else html.escape(char, quote=False)


def _pipes(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [" | ".join(escaped(cell) for cell in line) for line in (head, *rows)]
    lines.insert(1, " | ".join(["---"] * len(head)))
    return "\n".join(f"| {line} |" for line in lines)


def html_page(text: Text) -> str:
    """Return the file as one HTML page that loads nothing."""
    sentences = "".join(f"<p>{_shown(s)}</p>" for s in text.sentences)
    tables = table(text.head, text.counts) + table(text.columns, text.reviews)
    return document(text.title, sentences + tables, text.lang)


def document(title: str, body: str, lang: str, scheme: str = "light dark") -> str:
    """Return an HTML page around what `section` and `table` have made; it loads nothing."""
    style = _STYLE.replace("light dark", scheme)
    return (
        f'<!doctype html><html lang="{html.escape(lang)}"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>{_shown(title)}</title><style>{style}</style></head><body>"
        f"<h1>{_shown(title)}</h1>{body}</body></html>\n"
    )


def section(title: str, sentences: Sequence[str]) -> str:
    """Return a heading with sentences below it, escaped."""
    return f"<h2>{_shown(title)}</h2>" + "".join(f"<p>{_shown(s)}</p>" for s in sentences)


def _shown(text: str) -> str:
    return html.escape(safe.plain(text, None))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table, every cell of it escaped."""
    top = "".join(f'<th scope="col">{_shown(cell)}</th>' for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{_shown(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
