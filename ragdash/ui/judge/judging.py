"""The Judge page's parts: who was asked, what the judge said, and how far it can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ragdash.compare.noise import LEAST_REPEATS
from ragdash.compare.paired import COLOUR_FROM
from ragdash.metrics import BY_NAME
from ragdash.ui import chips, formats, frame, safe
from ragdash.ui.i18n import current, reason, t, term
from ragdash.views import judge as view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragdash.compare.intervals import Interval
    from ragdash.compare.noise import NoiseBetween
    from ragdash.views.endpoints import Asked, Readable
    from ragdash.views.judge import Agreement, Judged, JudgedMetric

_FLIPS_NAMED = 12
# Five lines of a run config, as the README has them.
CONFIG = """[judge]
kind = "endpoint"
base_url = "http://127.0.0.1:11434/v1"
model = "qwen2.5:7b"
repeats = 3"""


def banner(shown: frame.View) -> None:
    """Say that measurements of the judge failed, on every page that shows its values."""
    found = view.failures(shown.cursor)
    if not found.failed:
        return
    link = chips.link(t("judging.banner.open"), "judge", run=shown.ref)
    title = t("judging.banner", k=found.failed, n=found.tried)
    safe.render(chips.note(title, safe.join([t("judging.banner.body"), " ", link])))


def unjudged(shown: frame.View) -> None:
    """Say that no model judged this run, what its signals are, and how to have the next judged."""
    st.info(t("judging.none"))
    if shown.facts.judge == "similarity":
        st.text(t("judging.similarity"))
    st.text(t("judging.configure"))
    # Streamlit's own colours of TOML are too pale to read on the light page.
    st.code(CONFIG, language=None, wrap_lines=True)


def who(shown: frame.View, asked: Sequence[Asked]) -> None:
    """Show each endpoint that was asked: what it was found to honour, and what was sent."""
    if shown.facts.environment.get("self_judged") is True:
        st.warning(t("judging.self"))
    with st.grid(2, min_column_width=340):
        for one in asked:
            with st.container(border=True, height="stretch"):
                safe.render(chips.strong(term("role", one.role)))
                safe.render(chips.facts(_facts(shown, one), label=term("role", one.role)))


def _facts(shown: frame.View, one: Asked) -> dict[str, str]:
    """Return what an endpoint is, in the order of interest."""
    sent = t(
        "judging.sent.values",
        temperature=_sent(one.temperature),
        seed=_sent(one.sent_seed),
        tokens=_sent(one.max_tokens),
    )
    found = {
        t("judging.model"): safe.plain(one.model),
        t("judging.host"): safe.plain(one.host),
        t("judging.level"): _level(one),
        t("judging.why"): chips.lines(*map(safe.plain, one.why)),
        t("judging.seed"): _seed(one),
        t("judging.logprobs"): _probed(one, t("word.yes" if one.logprobs else "word.no")),
        t("judging.sent"): sent,
        t("judging.fingerprint"): safe.plain(", ".join(one.fingerprints)),
        t("judging.prompts"): chips.lines(*(_prompt(p, d) for p, d in one.prompts)),
    }
    if one.role == "judge":
        repeats = shown.facts.config["judge"].get("repeats", 1)
        found[t("judging.repeats")] = safe.plain(str(repeats))
    return {name: value for name, value in found.items() if value}


def _sent(value: float | None) -> str:
    return t("judging.not_sent") if value is None else f"{value:g}"


def _probed(one: Asked, words: str) -> str:
    return t("judging.not_probed") if one.level is None else words


def _level(one: Asked) -> str:
    """Return the level that the probe found, and the calls where they were asked on another."""
    found = [_probed(one, term("level", one.level or ""))]
    if set(one.levels) - {one.level}:
        counts = ", ".join(f"{term('level', level)} {n:,}" for level, n in one.levels.items())
        found.append(chips.muted(t("judging.levels", counts=safe.plain(counts))))
    return chips.lines(*found)


def _seed(one: Asked) -> str:
    key = {True: "same", False: "differs", None: "refused"}[one.seed]
    return _probed(one, t(f"judging.seed.{key}"))


def _prompt(purpose: str, digest: str) -> safe.Markup:
    name = term("purpose", purpose) if purpose else t("judging.prompt.unused")
    return safe.join([safe.plain(name), chips.aside(safe.plain(digest)[:19])])


def signal(shown: frame.View, found: JudgedMetric, base: str) -> None:
    """Show one judge metric: a line for each mode, with its repeats and its failures."""
    metric = BY_NAME[found.name]
    st.header(t("judging.signal", name=term("metric", found.name)))
    definition = metric.definition.zh if current() == "zh" else metric.definition.en
    safe.render(chips.muted(definition))
    names = ("mean", "failed", "sd", "flips", "range")
    head = [t("frame.mode"), *(t(f"judging.col.{name}") for name in names)]
    body = [[_mode(shown, one.mode), *_cells(shown, found.name, one)] for one in found.modes]
    if len(found.modes) > 1:
        head.append(t("judging.col.delta", base=base))
        for row, one in zip(body, found.modes, strict=True):
            row.append(difference(one.between) if one.between else t("word.base"))
    safe.render(safe.table(head, body, caption=term("metric", found.name)))


def _mode(shown: frame.View, mode: str) -> safe.Markup:
    return chips.link(mode, "triage", run=shown.of_mode(mode))


def _cells(shown: frame.View, metric: str, one: Judged) -> list[str]:
    noise = one.noise
    left = [("not_applicable", one.not_applicable), ("undefined", one.undefined)]
    missing = [t(f"judging.left.{name}", n=n) for name, n in left if n]
    if one.precision is not None:
        missing.append(t("judging.precision", ap=formats.number(one.precision)))
    scored = t("compare.scored", n=noise.n, total=one.total)
    mean = chips.wide(
        chips.strong(formats.number(noise.mean)),
        chips.muted(scored),
        *map(chips.muted, missing),
    )
    return [mean, _failed(one), _sd(one), _flips(shown, metric, one), _range(one)]


def _failed(one: Judged) -> str:
    total = sum(one.errors.values())
    parts: list[str] = [t("judging.of", k=total, n=one.tried)]
    parts += [chips.muted(f"{reason(code)} {n}") for code, n in one.errors.items()]
    if one.bounds:
        low, high = formats.number(one.bounds.low), formats.number(one.bounds.high)
        parts.append(chips.muted(t("compare.bounds", low=low, high=high)))
    return chips.lines(*parts)


def _sd(one: Judged) -> str:
    if one.sd_mean is None:
        return chips.lines(formats.DASH, chips.muted(t("judging.once")))
    largest = t("judging.largest", sd=formats.number(one.sd_max))
    return chips.lines(formats.number(one.sd_mean), chips.muted(largest))


def _flips(shown: frame.View, metric: str, one: Judged) -> str:
    if one.sd_mean is None:
        return formats.DASH
    count, run = len(one.noise.flipped), shown.of_mode(one.mode)
    words = t("judging.of", k=count, n=one.noise.n)
    if not count:
        return words
    return chips.lines(
        chips.strong(chips.link(words, "triage", run=run, flips=metric)),
        chips.questions(run, one.noise.flipped[:_FLIPS_NAMED]),
        chips.muted(f"+{count - _FLIPS_NAMED}") if count > _FLIPS_NAMED else "",
    )


def _range(one: Judged) -> str:
    if one.noise.low is None:
        return formats.DASH
    around = f"{formats.number(one.noise.low)}–{formats.number(one.noise.high)}"
    if len(one.means) < 2:
        return around
    means = f"{formats.number(min(one.means))}–{formats.number(max(one.means))}"
    return chips.lines(around, chips.muted(t("judging.means", around=means)))


def difference(found: NoiseBetween) -> safe.Markup:
    """Return Δ with the judge's standard error beside it, and in words whether that explains it."""
    if found.difference is None:
        return chips.muted(t("change.not_comparable"))
    delta = t("compare.delta", delta=formats.signed(found.difference))
    paired = chips.muted(t("compare.paired", n=found.n))
    return chips.lines(chips.strong(delta), paired, noise(found))


def noise(found: NoiseBetween) -> safe.Markup:
    """Return the judge's standard error of a difference, and in words whether it explains it."""
    if found.se is None:
        return chips.muted(t("judging.noise.unknown", n=LEAST_REPEATS))
    words = t("judging.noise.within" if found.within else "judging.noise.beyond")
    return chips.muted(t("judging.se", se=formats.number(found.se, 3), words=words))


def notes(found: Readable) -> None:
    """Say what the noise is not, and how many replies could be read."""
    safe.render(chips.muted(t("judging.noise.note", n=COLOUR_FROM)))
    if found.replied:
        share = formats.share(found.unreadable, found.replied)
        safe.render(chips.muted(t("judging.unreadable", share=share)))
    if found.misnumbered:
        safe.render(chips.muted(t("judging.misnumbered", n=found.misnumbered)))


def agreement(shown: frame.View, found: Sequence[Agreement]) -> None:
    """Show faithfulness beside the numeric gate, with the questions on which they part."""
    safe.render(chips.note(t("judging.lesson"), chips.muted(t("judging.lesson.body"))))
    names = ("gate", "faithfulness", "believed", "doubted")
    head = [t("frame.mode"), *(t(f"judging.col.{name}") for name in names)]
    body = [[_mode(shown, one.mode), *_agreed(shown, one)] for one in found]
    safe.render(safe.table(head, body, caption=t("judging.agreement")))


def _agreed(shown: frame.View, one: Agreement) -> list[str]:
    of_mode = shown.of_mode(one.mode)
    judged = t("compare.scored", n=one.judged, total=one.gated)
    parted = (
        (one.believed, one.failed_judged, one.believed_interval),
        (one.doubted, one.passed_judged, one.doubted_interval),
    )
    return [
        chips.strong(formats.share(one.passed, one.gated)),
        chips.lines(chips.strong(formats.number(one.mean)), chips.muted(judged)),
        *(_parted(of_mode, ids, n, interval) for ids, n, interval in parted),
    ]


def _parted(run: str, ids: Sequence[str], n: int, interval: Interval | None) -> str:
    if not n:
        return chips.lines(formats.DASH, chips.muted(t("judging.no_case")))
    share = chips.strong(formats.share(len(ids), n))
    around = chips.aside(formats.interval(interval))
    return chips.lines(safe.join([share, around]), chips.questions(run, ids))
