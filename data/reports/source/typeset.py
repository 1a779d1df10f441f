"""Set the demo reports as PDFs from the content files beside this script.

    python data/reports/source/typeset.py [--out DIR] [--only DOC_ID] [--font FILE]

The figures come from public filings and carry their source in the content file; the
wording is this project's. The same content and font give the same bytes.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    PageBreak,
    PageTemplate,
    Spacer,
)

from data.reports.source.layout import (
    INK,
    RULE,
    FontMissingError,
    Mark,
    TextBlock,
    break_lines,
    build_table,
    use_font,
)
from data.reports.source.scan import ScanCanvas, page_pictures

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
MARGIN = 62.0
WIDTH = A4[0] - 2 * MARGIN
SOURCE = re.compile(r"\s*\{src: [^}]*\}")
TABLE = re.compile(r"\{\{(\w+)\}\}")
FOOT = {
    "zh": "本文件为 ragdash 项目依据公开披露数据重新排版，非公司原件",
    "en": "Typeset for ragdash from public figures; not the company's document",
}
PLAIN = {
    "zh": (
        "【重要说明】本文件由 ragdash 项目为演示而重新排版：文中数字取自公司公开披露的定期报告及"
        "公开来源，文字由本项目自行撰写，不是公司原件，也不代表公司的意见，不得作为投资依据。"
        "数字的出处逐表记录在本项目的内容文件中。"
    ),
    "en": (
        "IMPORTANT: this document was typeset by the ragdash project as demonstration material. "
        "Its figures were taken from the company's public filings; its wording is the project's "
        "own. It is not the company's document, does not speak for the company and is no basis "
        "for an investment decision. The content file in the project records the source of each "
        "table."
    ),
}
WORDS = {
    "zh": {"contents": "目录", "source": "数据来源", "page": "第 {n} 页 / 共 {total} 页"},
    "en": {"contents": "Contents", "source": "Source of figures", "page": "Page {n} of {total}"},
}


@dataclass
class Job:
    """One report on its way to a PDF."""

    content: dict[str, Any]
    font: str
    bold: str
    found: dict[str, int] = field(default_factory=dict)
    total: int = 0

    @property
    def lang(self) -> str:
        """The report's language, "zh" or "en"."""
        return str(self.content["lang"])

    @property
    def name(self) -> str:
        """Company and title, as in the running header."""
        return f"{self.content['full_name']} {self.content['title']}"

    def text(self, words: str, size: float = 10.2, *, bold: bool = False, **look: Any) -> TextBlock:
        """Break a paragraph and wrap it as a block, first line indented in Chinese."""
        font = self.bold if bold else self.font
        indent = 2 * size if look.pop("indent", False) and self.lang == "zh" else 0.0
        blank = "\u3000\u3000" if indent else ""
        lines = break_lines(blank + words, font, size, WIDTH)
        lines = [line.removeprefix(blank) for line in lines] if blank else lines
        return TextBlock(lines, font, size, indent, **look)


def cover(job: Job) -> list[Flowable]:
    """Set the title page, which says what this document is."""
    content = job.content
    parts: list[Flowable] = [Spacer(1, 120)]
    for key, size in (("full_name", 19), ("title", 24), ("code", 11)):
        if content.get(key):
            parts.append(job.text(content[key], size, bold=True, align="center", after=16))
    parts.append(Spacer(1, 150))
    parts.append(job.text(PLAIN[job.lang], 10))
    parts.extend(job.text(note, 9.2) for note in content.get("notes", []))
    return [*parts, PageBreak()]


def contents(job: Job) -> list[Flowable]:
    """Set the table of contents from the pages found in the run before."""
    parts: list[Flowable] = [job.text(WORDS[job.lang]["contents"], 15, bold=True)]
    for section in job.content["section"]:
        page = str(job.found.get(section["heading"], 0))
        parts.append(job.text(f"{section['heading']} …… {page}", 10.5, leading=21, after=0))
    return parts


def table_parts(job: Job, name: str) -> list[Flowable]:
    """Set a table with its title, its unit line and its note."""
    table = job.content["table"][name]
    parts: list[Flowable] = [CondPageBreak(130), job.text(table["title"], 10.8, bold=True, after=1)]
    if table.get("unit"):
        parts.append(job.text(table["unit"], 8.8, align="right", after=2, leading=13))
    parts.append(build_table(table["columns"], table["rows"], WIDTH, job.font))
    if table.get("note"):
        parts.append(job.text(table["note"], 8.4, leading=13))
    return [*parts, Spacer(1, 11)]


def body_parts(job: Job, body: str) -> list[Flowable]:
    """Turn a section's text into headings, paragraphs and tables."""
    parts: list[Flowable] = []
    for piece in re.split(r"\n\s*\n", body.strip()):
        words = SOURCE.sub("", " ".join(line.strip() for line in piece.splitlines()))
        words = re.sub(r"(?<=[^\x00-\xff]) (?=[^\x00-\xff])", "", words)
        table = TABLE.fullmatch(words)
        if table:
            parts.extend(table_parts(job, table[1]))
        elif words.startswith("## "):
            parts += [CondPageBreak(95), job.text(words[3:], 12.2, bold=True, after=4)]
        elif words == "---":
            parts.append(PageBreak())
        else:
            parts.append(job.text(words, indent=True))
    return parts


def story(job: Job) -> list[Flowable]:
    """Put the whole report together."""
    parts = [*cover(job), *contents(job)]
    for section in job.content["section"]:
        parts += [PageBreak(), Mark(section["heading"], job.found)]
        parts.append(job.text(section["heading"], 15, bold=True, after=10))
        parts.extend(body_parts(job, section["body"]))
    return parts


def build(job: Job, canvas_class: type[Canvas]) -> bytes:
    """Run the layout once and return the PDF."""
    store = io.BytesIO()

    def header(canvas: Canvas, _doc: BaseDocTemplate) -> None:
        canvas.setStrokeColor(RULE)
        canvas.setFillColor(INK)
        canvas.setLineWidth(0.5)
        canvas.setFont(job.font, 7.6)
        if canvas.getPageNumber() > 1:
            canvas.line(MARGIN, A4[1] - 48, MARGIN + WIDTH, A4[1] - 48)
            canvas.drawString(MARGIN, A4[1] - 43, job.name)

    def footer(canvas: Canvas, _doc: BaseDocTemplate) -> None:
        canvas.setFont(job.font, 7.6)
        canvas.line(MARGIN, 50, MARGIN + WIDTH, 50)
        canvas.drawString(MARGIN, 39, FOOT[job.lang])
        number = WORDS[job.lang]["page"].format(n=canvas.getPageNumber(), total=job.total)
        canvas.drawRightString(MARGIN + WIDTH, 39, number)

    doc = BaseDocTemplate(
        store,
        pagesize=A4,
        invariant=1,
        pageCompression=1,
        title=job.name,
        author="ragdash",
        subject=FOOT[job.lang],
    )
    frame = Frame(MARGIN, 58, WIDTH, A4[1] - 58 - 56, 0, 0, 0, 0)
    doc.addPageTemplates([PageTemplate(frames=[frame], onPage=header, onPageEnd=footer)])
    doc.build(story(job), canvasmaker=canvas_class)
    job.total = doc.page
    return store.getvalue()


def typeset(content: dict[str, Any], font: Path | None = None) -> bytes:
    """Return the PDF of one report.

    Args:
        content: the parsed content file.
        font: a font file to use instead of the installed one.
    """
    body, bold = use_font(content["lang"], font)
    job = Job(content, body, bold)
    build(job, Canvas)
    clean = build(job, Canvas)
    damage = content.get("damage")
    if not damage:
        return clean
    pages = [*damage["misread_pages"], *damage["picture_pages"]]
    attributes = {
        "pictures": page_pictures(clean, pages),
        "mute": frozenset(damage["picture_pages"]),
        "size": A4,
    }
    return build(job, type("ReportCanvas", (ScanCanvas,), attributes))


def main(arguments: Sequence[str] | None = None) -> int:
    """Set all reports, or the named ones, into a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=HERE.parent)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--font", type=Path)
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for path in sorted(HERE.glob("*.toml")):
        if chosen.only and path.stem not in chosen.only:
            continue
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        try:
            pdf = typeset(content, chosen.font)
        except FontMissingError as error:
            sys.stderr.write(f"{error}\n")
            return 3
        (chosen.out / f"{content['doc_id']}.pdf").write_bytes(pdf)
        sys.stdout.write(f"{content['doc_id']}.pdf  {len(pdf):,} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
