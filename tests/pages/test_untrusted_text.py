"""Hostile text through every page: it may be shown, never rendered."""

from __future__ import annotations

import ast
import html
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ragdash.ui.safe import TABLE_STYLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
CANARY = "ZZQ"
HAZARDS = [
    "from $5M to a record $7M; cost $x",
    "2022~2023 增长 5~8%~",
    "12*3*4 __init__ # x",
    "- 1,234 万元",
    "![x](http://beacon.example/b.png)",
    "[x](javascript:alert(1))",
    ":green-badge[trusted] :red[x] :material/lock:",
    "|a|b|\n|---|---|\n|1|2|",
    "<img src=x onerror=alert(1)>",
    "<style>body{display:none}</style><script>alert(1)</script>",
    "</div></span></td></table><h1>x</h1>",
    '" onmouseover="alert(1)" x=\'',
    "{0} {items} %s",
    "\u200b\u202egnp.exe\u2066 \ufeff",
    "nul\x00 cr\r tab\t",
    "'; DROP TABLE runs; --",
]
# Where text of data may stand: escaped HTML, plain text, code, JSON, grid cells, chart data.
LITERAL = {"html", "text", "code", "json", "dataframe", "vega_lite_chart"}
PAGES = (
    *("runs", "compare", "triage", "question", "funnel", "judge", "gates", "attacks"),
    *("data", "data?tab=documents", "data?tab=gold"),
)


def named(page: str) -> tuple[str, dict[str, str]]:
    """A page and the query parameters behind its name."""
    name, _, query = page.partition("?")
    return name, dict([query.split("=")] if query else [])


def elements(at: AppTest) -> Iterator[tuple[str, object]]:
    todo = list(at._tree.children.values())
    while todo:
        node = todo.pop()
        todo += list(getattr(node, "children", {}).values())
        if getattr(node, "proto", None) is not None:
            yield str(node.type), node.proto


@pytest.fixture(scope="session")
def hostile(
    build: ModuleType,
    rich: ModuleType,
    judged: ModuleType,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    text = f"{CANARY} " + f" {CANARY} ".join(HAZARDS)
    store: Path = rich.make_rich_store(build, tmp_path_factory.mktemp("hostile") / "s", text=text)
    judged.make_judged_run(build, rich, store, text=text)
    return store


JUDGED_PAGES = [(page, True) for page in PAGES if page != "attacks"]


@pytest.mark.parametrize(("page", "of_judge"), [*((page, False) for page in PAGES), *JUDGED_PAGES])
def test_hostile_text_stands_only_where_it_is_literal(
    open_page: Callable[..., AppTest],
    hostile: Path,
    judged: ModuleType,
    page: str,
    of_judge: bool,
) -> None:
    tab = {"tab": "judge"} if page == "question" else {}
    page, given = named(page)
    run = {"run": f"{judged.RUN}:dense"} | tab if of_judge else {}
    at = open_page(hostile, page, **run, **given)
    if of_judge and page == "question":
        at.session_state["call.faithfulness.0.1.sent"] = True
        at.run()
        assert sum("The prompt that was sent" in e.label for e in at.expander) > 5
    assert not at.exception
    seen = set()
    for kind, proto in elements(at):
        if CANARY not in str(proto):
            continue
        seen.add(kind)
        if kind == "selectbox":
            # Options are drawn as text; the label and the help are Markdown.
            assert CANARY not in proto.label + proto.help  # type: ignore[attr-defined]
        else:
            assert kind in LITERAL, kind
    assert "html" in seen


@pytest.mark.parametrize(("page", "of_judge"), [*((page, False) for page in PAGES), *JUDGED_PAGES])
def test_our_markup_holds_hostile_text_escaped(
    open_page: Callable[..., AppTest],
    hostile: Path,
    judged: ModuleType,
    page: str,
    of_judge: bool,
) -> None:
    run = {"run": f"{judged.RUN}:dense"} if of_judge else {}
    page, given = named(page)
    for element in open_page(hostile, page, **run, **given).html:
        body = str(element.value)
        if body == TABLE_STYLE:
            # our own constant rules, which hold no data
            continue
        for raw in ("<img", "<style", "<script", "<h1", 'onmouseover="', "\u202e", "\x00"):
            assert raw not in body
        if CANARY in body:
            read = html.unescape(re.sub(r"</?mark[^>]*>", "", body))
            assert "$5M to a record $7M" in read


@pytest.mark.parametrize("page", ["triage", "question"])
def test_two_hundred_thousand_characters_are_cut_and_stay_in_reach(
    open_page: Callable[..., AppTest],
    build: ModuleType,
    rich: ModuleType,
    tmp_path: Path,
    page: str,
) -> None:
    store = rich.make_rich_store(build, tmp_path / "s", text="营" * 200_000)
    at = open_page(store, page)
    assert not at.exception
    sizes = [len(str(e.value)) for e in at.html]
    assert max(sizes) < 200_000
    assert any("chars" in str(e.value) for e in at.html)
    if page == "question":
        assert any("whole text" in b.label for b in at.get("download_button"))


# Calls that read Markdown or load pictures, and have no business with data. A picture is shown by
# `safe.picture` alone, which takes bytes and no name.
FORBIDDEN = {
    "markdown", "write", "caption", "latex", "metric", "table", "toast", "badge",
    "image", "link_button", "write_stream", "chat_message", "iframe", "data_editor", "exception",
    "help", "page_link", "status", "dialog", "video", "audio", "pdf", "spinner",
}  # fmt: skip
# Calls whose first argument is Markdown: it must be a string of ours.
LABELLED = {
    "title", "header", "subheader", "error", "warning", "info", "success", "expander", "button",
    "pills", "segmented_control", "selectbox", "multiselect", "tabs", "download_button", "radio",
    "checkbox", "text_input", "text_area", "toggle", "form_submit_button", "popover",
}  # fmt: skip
SOURCES = [
    *(ROOT / "pages").glob("*.py"),
    *(ROOT / "ragdash" / "ui").rglob("*.py"),
    ROOT / "app.py",
]


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr, node


def is_streamlit(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in {
        "st", "st.sidebar", "left", "right",
    }  # fmt: skip


def is_ours(node: ast.expr) -> bool:
    """t(...), or a parameter named label that callers fill with t(...)."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "t"
    if isinstance(node, ast.ListComp):
        return is_ours(node.elt)
    return isinstance(node, ast.Name) and node.id == "label"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_no_call_that_renders_markdown_gets_data(path: Path) -> None:
    for name, call in calls(path):
        if not is_streamlit(call):
            continue
        if (path.name, name) != ("safe.py", "image"):
            assert name not in FORBIDDEN, f"{path.name}:{call.lineno}: st.{name}"
        if name in LABELLED:
            assert is_ours(call.args[0]), f"{path.name}:{call.lineno}: st.{name}"
        for keyword in call.keywords:
            if keyword.arg in {"help", "label"}:
                assert is_ours(keyword.value), f"{path.name}:{call.lineno}: {keyword.arg}="


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_only_safe_puts_html_on_a_page(path: Path) -> None:
    used = {name for name, call in calls(path) if is_streamlit(call)}
    assert "html" not in used or path.name == "safe.py"
    assert "unsafe_allow" not in path.read_text("utf-8")


def test_the_lint_would_see_a_slip() -> None:
    slip = ast.parse("st.header(row['name'])").body[0]
    assert isinstance(slip, ast.Expr)
    assert isinstance(slip.value, ast.Call)
    assert not is_ours(slip.value.args[0])


@pytest.mark.parametrize("path", sorted((ROOT / "pages").glob("*.py")), ids=lambda p: p.name)
def test_a_page_holds_no_sql_and_no_bare_label(path: Path) -> None:
    code = path.read_text("utf-8")
    assert "SELECT" not in code
    assert len(code.splitlines()) <= 100
    for name, call in calls(path):
        if is_streamlit(call) and name in {"text", "header", "title"}:
            assert not isinstance(call.args[0], ast.Constant | ast.JoinedStr)
