"""The History tab: this question in every run of the store over the same question set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.store.effective import bound
from ragdash.store.layout import run_file, store_dir
from ragdash.ui import address, chips, formats, refs, safe
from ragdash.ui.i18n import t, term
from ragdash.ui.review import people
from ragdash.views import history as view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.store.effective import People
    from ragdash.store.registered import RunRow
    from ragdash.ui import frame
    from ragdash.views.history import Then

    Told = tuple[RunRow, tuple[Then, ...] | None]

_CACHED = 500


def tab(shown: frame.View, question_id: str) -> None:
    """Show the outcomes as a strip, then what each run made of the question, newest first."""
    with refs.registry() as found:
        every = [] if found is None else found.runs()
    runs = view.runs_of(every, shown.run.questions_digest)
    pages = view.pages_of(runs)
    address.page_note(pages)
    st.text(t("history.lead", n=len(runs)))
    window = view.page_of(runs, address.page_number(pages))
    told = [(run, _then(run, question_id)) for run in window]
    modes = list(dict.fromkeys(m.mode for run in window for m in run.modes))
    safe.render(_strips(told, modes))
    safe.render(_table(shown, question_id, told, modes))


def _then(run: RunRow, question_id: str) -> tuple[Then, ...] | None:
    said = people.of(run.run_id, run.version).about(question_id)
    path = run_file(store_dir(None), run.run_id, run.version)
    try:
        facts = path.stat()
    except OSError:
        return None
    words = str(bound(said))
    return _read(run, said, question_id, words, (str(path), facts.st_mtime_ns, facts.st_size))


@st.cache_data(max_entries=_CACHED, show_spinner=False)
def _read(
    _run: RunRow, _said: People, question_id: str, words: str, file: tuple[str, int, int]
) -> tuple[Then, ...] | None:
    # A run file never changes; path, time and size are the key, and tell a replaced one. So is what
    # people say of the question, word by word.
    del words, file
    return view.asked(store_dir(None), _run, question_id, _said)


def _strips(told: Sequence[Told], modes: Sequence[str]) -> safe.Markup:
    """Return a row of letters for each mode, the newest run first."""
    rows = []
    for mode in modes:
        codes = [one.outcome for _, found in told for one in found or () if one.mode == mode]
        letters = "".join(f"{chips.letter(code)} " for code in codes)
        words = ", ".join(term("outcome", code) for code in codes)
        label = safe.escape(t("history.strip", mode=mode, outcomes=words))
        rows.append(
            f'<div style="display:flex;gap:.8em;align-items:baseline;margin:.15rem 0">'
            f'<span style="min-width:5em;font-weight:600">{safe.escape(mode)}</span>'
            f'<span role="img" aria-label="{label}">{letters}</span></div>'
        )
    return safe.join([safe.Markup("".join(rows)), chips.legend()])


def _table(
    shown: frame.View, question_id: str, told: Sequence[Told], modes: Sequence[str]
) -> safe.Markup:
    head = [t("history.run"), *modes]
    body = []
    for run, found in told:
        by_mode = {one.mode: one for one in found or ()}
        cells = [_cell(run, question_id, by_mode.get(mode)) for mode in modes]
        if found is None:
            cells = [chips.muted(t("history.unreadable")), *([formats.DASH] * (len(modes) - 1))]
        body.append([_name(shown, run), *cells])
    return safe.table(head, body, caption=t("history.table"))


def _name(shown: frame.View, run: RunRow) -> safe.Markup:
    here = (run.run_id, run.version) == (shown.run.run_id, shown.run.version)
    number = t("history.version", n=run.version) if run.version > 1 else ""
    lines = [
        chips.strong(safe.plain(run.run_id)),
        chips.muted(" · ".join(part for part in (formats.when(run.started_at), number) if part)),
        chips.badge(t("history.here")) if here else "",
    ]
    return chips.lines(*lines)


def _cell(run: RunRow, question_id: str, then: Then | None) -> str:
    if then is None:
        return formats.DASH
    ref = refs.ref_of(run.run_id, run.version, then.mode)
    link = chips.link(chips.outcome(then.outcome), "question", run=ref, q=question_id)
    lines: list[str] = [link]
    if then.outcome_by is not None:
        lines.append(chips.muted(t("review.by", name=safe.plain(then.outcome_by))))
    if then.layer:
        lines.append(chips.muted(t("question.lost", layer=term("layer", then.layer))))
    if then.gold_final_rank is not None:
        k = formats.DASH if then.top_k is None else then.top_k
        lines.append(chips.muted(t("history.gold", rank=then.gold_final_rank, k=k)))
    rest = then.length - len(then.answer)
    cut = f" …+{rest:,} chars" if rest > 0 else ""
    lines.append(chips.muted(safe.plain(then.answer, None) + cut))
    return chips.lines(*lines)
