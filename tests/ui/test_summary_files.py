from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ragdash.ui import safe
from ragdash.ui.triage.summary_files import Text, html_page, markdown

HAZARDS = (
    "$1 … $2",
    "<img src=x>",
    "![](http://beacon.example/b.png)",
    "[x](javascript:alert(1))",
    "|a|b|",
    "30~35% 12*3*4 __init__",
    "- 1,234 万元\n# x\n1. y",
    "http://beacon.example/x www.beacon.example",
    "&lt;b&gt; &amp;",
    "a\\*b\\",
    "\u202egnp.exe",
    "nul\x00",
    "half \ud800",
    "---",
    "`code` :red[x] <!-- c -->",
)
TEXTS = st.text(max_size=40) | st.sampled_from(HAZARDS)


def file_of(note: str) -> Text:
    return Text(
        title="Triage of run:hybrid",
        sentences=["1 of 2"],
        head=["Layer", "Rule"],
        counts=[["召回", "1"]],
        columns=["Question", "Note"],
        reviews=[["q1", note], ["问2", "x"]],
        lang="zh-CN",
    )


class Shape(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "td":
            self.cells.append("")
        elif tag == "br" and self.cells:
            self.cells[-1] += "\n"

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def shape(text: str) -> Shape:
    parser = Shape()
    parser.feed(text)
    return parser


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in safe.plain(text, None).strip().split("\n")]


@given(TEXTS)
@example("20,000 " * 2900)
def test_the_html_file_has_our_tags_only_and_shows_the_note_as_written(note: str) -> None:
    found, empty = shape(html_page(file_of(note))), shape(html_page(file_of("")))
    assert found.tags == empty.tags
    assert not {"img", "script", "a", "link", "iframe"} & set(found.tags)
    assert found.cells[3].strip() == safe.plain(note, None).strip()


@given(TEXTS)
@example("营" * 20_000)
def test_the_markdown_file_reads_as_the_note_and_as_nothing_else(note: str) -> None:
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    found = shape(reader.render(markdown(file_of(note))))
    empty = shape(reader.render(markdown(file_of(""))))
    tags = [tag for tag in found.tags if tag != "br"]
    assert tags == empty.tags
    shown = [" ".join(line.split()) for line in found.cells[3].strip().split("\n")]
    assert shown == lines(note)


def test_hazards_of_reviewers_stand_escaped_in_both_files() -> None:
    for note in HAZARDS:
        assert "<img" not in markdown(file_of(note))
        assert "<img" not in html_page(file_of(note))
        assert "](http" not in markdown(file_of(note))
