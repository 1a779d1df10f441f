"""C6, C11 and C12: what leaves the policy, whoever wrote it, is checked against the view."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ragdash.contract import label_for, parse_citations, refusal_text
from ragdash.core.attack import ControlTrace, PolicyOutput
from ragdash.core.chunk import DocType
from ragdash.core.errors import InputError

if TYPE_CHECKING:
    from ragdash.core.attack import ChunkMeta, PolicyView

CITATIONS = "C6_citation_validate"
ACTIONS = "C11_action_allowlist"
SANITISE = "C12_output_sanitize"

OutputControl = "Callable[[PolicyView, PolicyOutput], PolicyOutput]"

# The assistant reads and answers; there is nothing that it may do.
ALLOWED_ACTIONS: frozenset[str] = frozenset()

_CHINESE = re.compile(r"[㐀-鿿]")
_DOC_TYPES = (
    (re.compile(r"10-?k", re.I), DocType.FORM_10K),
    (re.compile(r"10-?q", re.I), DocType.FORM_10Q),
    (re.compile(r"8-?k", re.I), DocType.FORM_8K),
    (re.compile(r"(?:^|[-_])(?:sar|h1|hy|semi\w*)(?:[-_]|$)", re.I), DocType.SEMIANNUAL),
    (re.compile(r"(?:^|[-_])q1(?:[-_]|$)", re.I), DocType.Q1),
    (re.compile(r"(?:^|[-_])q3(?:[-_]|$)", re.I), DocType.Q3),
    (re.compile(r"(?:^|[-_])(?:ar|annual\w*)(?:[-_]|$)", re.I), DocType.ANNUAL),
)
# A text that names a page for itself: [Source: X, 2023, p.31], （见年报第31页）.
_PAGE_LABEL = re.compile(
    r"[ ]?(?:\[[^\[\]\n]{0,120}?{page}[^\[\]\n]{0,20}\]|\([^()\n]{0,120}?{page}[^()\n]{0,20}\)"
    r"|（[^（）\n]{0,120}?{page}[^（）\n]{0,20}）|【[^【】\n]{0,120}?{page}[^【】\n]{0,20}】)".replace(
        "{page}", r"(?:\b(?:pp?|pg)\.?\s?\d|\bpages?\s\d|P\d|第\s?\d+\s?页)"
    ),
    re.I,
)
_IMAGE = re.compile(r"!\[[^\]\n]{0,500}\](?:\([^)\n]{0,2000}\)?|\[[^\]\n]{0,200}\])?")
_LINK = re.compile(r"\[([^\]\n]{0,500})\]\([^)\n]{0,2000}\)?")
_DEFINITION = re.compile(r"^\s{0,3}\[[^\]\n]{1,200}\]:\s*\S.*$", re.M)
_TAG = re.compile(r"<[/!?]?[A-Za-z][^<>]{0,4000}>|<!--.*?(?:-->|\Z)", re.S)
_ADDRESS = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s，。；、）)\]|\"'<>]*|(?:javascript|vbscript|mailto|file|blob):[^\s，。；）)]*"
    r"|data:[a-z]{1,20}/[^\s，。；）)]*|(?<![\w:])//[\w-]+\.[\w.-]+[^\s，。；）)]*|\bwww\.[^\s，。；、）)]+"
    r"|(?<![\w@.-])(?:[\w-]{1,63}\.)+(?:com|net|org|io|cn|example|test|invalid|info|biz|co|dev|app|xyz|top"
    r"|ru|site|online|link|me|ai|cc|tk|ly|gg|shop|club|live|pw)(?![A-Za-z0-9.-]*[A-Za-z0-9])[^\s，。；、）)]*",
    re.I,
)
_LEFT = re.compile(r"!\[|\]\(|<(?=[/!]?[A-Za-z])|(?<=[A-Za-z])://|data:(?=[a-z]{1,20}/)", re.I)


def validate_citations(view: PolicyView, output: PolicyOutput) -> PolicyOutput:
    """C6: cite exactly the retrieved passages that hold what is quoted, labelled from metadata.

    An answer that no passage bears out is not given. A label in the answer is never the text's own.
    """
    if output.refused:
        return _changed(output, CITATIONS, "dropped", citations=()) if output.citations else output
    chunks = {chunk.id: chunk for chunk in view.chunks}
    borne = [q.chunk_id for q in output.quotes if q.chunk_id in chunks]
    right = tuple(dict.fromkeys(borne))
    made_up = [i for i in output.citations if i not in right]
    missing = [i for i in right if i not in output.citations]
    if not right:
        text = refusal_text("zh" if _CHINESE.search(view.query) else "en")
        return _changed(output, CITATIONS, "refused", answer=text, citations=(), refused=True)
    bare = _without_labels(output.answer)
    labels = dict.fromkeys(label for i in right if (label := label_of(chunks[i].meta)))
    answer = _with_labels(bare, "".join(labels))
    if made_up or missing:
        said = ", ".join([*(f"no {i}" for i in made_up), *(f"added {i}" for i in missing)])
        output = _changed(output, CITATIONS, "recomputed", said)
    elif bare != output.answer:
        output = _changed(output, CITATIONS, "relabelled", "a label stood in the text")
    return replace(output, citations=right, answer=answer)


def label_of(meta: ChunkMeta) -> str:
    """Return the citation of a passage from its metadata, "" where they do not name a page."""
    if meta.label and meta.company and meta.page:
        return f"({meta.company}·{meta.label}·P{meta.page})"
    if not (meta.company and meta.period and meta.page):
        return ""
    kind = next((t for form, t in _DOC_TYPES if form.search(meta.doc_id)), DocType.OTHER)
    try:
        return f"({meta.company}·{label_for(kind, meta.period)}·P{meta.page})"
    except InputError:
        return ""


def _without_labels(answer: str) -> str:
    answer = _PAGE_LABEL.sub("", answer)
    for citation in sorted(parse_citations(answer), key=lambda c: c.span, reverse=True):
        answer = answer[: citation.span[0]].rstrip(" ") + answer[citation.span[1] :]
    return answer


def _with_labels(answer: str, labels: str) -> str:
    """Put the labels before the full stop, as the generation contract writes them."""
    body = answer.rstrip()
    stop = body[-1:] if body[-1:] in "。." else ""
    body = body.removesuffix(stop).rstrip()
    # Right behind a square bracket a label would be the target of a Markdown link.
    return body + (" " if body.endswith("]") and labels else "") + labels + stop


def allow_actions(view: PolicyView, output: PolicyOutput) -> PolicyOutput:  # noqa: ARG001
    """C11: let through the actions of the allow-list, which is empty: the assistant only reads."""
    allowed = tuple(a for a in output.actions if a in ALLOWED_ACTIONS)
    if allowed == output.actions:
        return output
    return _changed(output, ACTIONS, "blocked", ", ".join(output.actions), actions=allowed)


def sanitise(view: PolicyView, output: PolicyOutput) -> PolicyOutput:  # noqa: ARG001
    """C12: leave no image, link, address or tag in an answer; the words around them stay."""
    text = sanitised(output.answer)
    if text == output.answer:
        return output
    return _changed(output, SANITISE, "sanitised", "image, link, address or tag", answer=text)


def sanitised(text: str) -> str:
    """Return text without anything that a page or terminal could load, follow or draw."""
    before = None
    plain = text
    # Taking one thing out may join the pieces of another.
    while before != plain:
        before = plain
        plain = _DEFINITION.sub("", plain)
        plain = _IMAGE.sub("", plain)
        plain = _LINK.sub(r"\1", plain)
        plain = _TAG.sub("", plain)
        plain = _ADDRESS.sub("", plain)
        plain = _LEFT.sub("", plain)
    return text if plain == text else re.sub(r"[ \t]{2,}", " ", plain).strip()


def _changed(
    output: PolicyOutput, control: str, decision: str, reason: str = "", **changes: object
) -> PolicyOutput:
    line = ControlTrace(control, decision, "", reason[:200])
    fired = output.fired if control in output.fired else (*output.fired, control)
    return replace(output, trace=(*output.trace, line), fired=fired, **changes)  # type: ignore[arg-type]
