from __future__ import annotations

import re
from contextlib import closing
from html.parser import HTMLParser

import pytest

from ragdash.amounts.written import amount
from ragdash.cli.receive import execute
from ragdash.export.asking import selected
from ragdash.export.bars import Part, Range, ranges, stacked
from ragdash.export.counts import counts
from ragdash.export.formats import Format, written
from ragdash.export.report_rows import COLUMNS
from ragdash.export.words import WORDS, say
from ragdash.store.registry import Registry
from ragdash.ui.i18n import say as pages
from ragdash.ui.words import joined
from ragdash.views.query import rows

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "![](http://beacon.invalid/x.png)",
    "</td></tr></table>",
    "茅台\u202e5",
    "{name} {0} %s",
    "a\x00b",
)


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(chosen, lang="en") -> tuple[str, Reader]:
    text = b"".join(written(chosen, Format.HTML, lang)).decode("utf-8")
    reader = Reader()
    reader.feed(text)
    return text, reader


@pytest.mark.parametrize("hostile", HOSTILE)
def test_text_of_the_store_is_text_in_the_report(build, rich, choose, tmp_path, hostile) -> None:
    store = rich.make_rich_store(build, tmp_path / "store", text=hostile)
    text, reader = read(choose(store))
    assert {tag for tag, _ in reader.tags} <= {
        "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "dl", "dt",
        "dd", "figure", "figcaption", "div", "span", "i", "svg", "rect", "text", "line", "circle",
        "table", "thead", "tbody", "tr", "th", "td", "br", "small", "strong", "details", "summary",
    }  # fmt: skip
    assert not any(
        name.startswith("on") or name in ("src", "href") for _, a in reader.tags for name in a
    )
    assert "\u202e" not in text
    assert "\x00" not in text
    told = hostile.replace("\u202e", "⟦U+202E⟧").replace("\x00", "⟦U+0000⟧")
    assert any(told in one for one in reader.texts)


def test_nothing_can_be_loaded_and_nothing_run(reviewed, choose) -> None:
    text, reader = read(choose(reviewed))
    policy = [a["content"] for tag, a in reader.tags if tag == "meta" and "http-equiv" in a]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'"]
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.parametrize(("lang", "named"), [("en", "en"), ("zh", "zh-CN")])
def test_every_row_is_there_with_who_said_what(reviewed, choose, lang, named) -> None:
    text, reader = read(choose(reviewed), lang)
    assert reader.tags[0] == ("html", {"lang": named})
    assert sum(tag == "td" for tag, _ in reader.tags) == 18 * len(COLUMNS)
    told = "\n".join(reader.texts)
    assert "安" in told
    assert "陈" in told
    assert "=1+1" in told
    words = {
        "en": ("superseded by its author", "rule: correct"),
        "zh": ("已被本人更新", "规则：答对"),
    }
    assert all(word in told for word in words[lang])
    assert "3 reviews and 1 spot checks" in text or "3 条复核" in text


def test_counts_are_over_the_rows_of_the_filter(reviewed, choose) -> None:
    text, _ = read(choose(reviewed, "mode:dense"))
    assert "6 of 18 rows" in text
    labels = re.findall(r'<svg role="img"[^>]*aria-label="([^"]*)"', text)
    # c w c a e o in dense: three scored and one refused wrongly; the error and the right refusal
    # have no value.
    assert "dense: 0.50 (0.15-0.85) 2/4, 2 not scored" in labels[0]
    assert "dense: correct 2, wrong 1, error 1" in labels[1]
    assert "dense: abstained, rightly 1, abstained, wrongly 1" in labels[2]
    assert "dense: ranking 2, generation 1" in labels[3]
    assert "hybrid: none" in labels[1]


def test_a_filter_that_holds_nothing_says_so(reviewed, choose) -> None:
    text, _ = read(choose(reviewed, "没有这样的文字"))
    assert "No row matches the filter." in text
    assert "<table" not in text


def test_bars_are_of_one_scale_and_name_what_is_cut() -> None:
    drawn = stacked("t", [("a" * 40, [Part("x", "w", 3)]), ("b", [Part("x", "w", 1)])], "none")
    wide = [float(w) for w in re.findall(r'<rect[^>]* width="([\d.]+)"', drawn)]
    assert wide[0] == pytest.approx(3 * wide[1], abs=0.2)
    assert "a" * 40 in drawn
    assert ">" + "a" * 40 not in drawn
    assert "nothing" in ranges("t", [Range("m", None, 0, 0, "nothing")])


def test_words_of_codes_are_those_of_the_pages() -> None:
    pages = joined()
    # Pages stand above exports, so these words are written twice and held together here.
    groups = ("outcome", "layer", "status", "kind", "scope", "attribution", "fit", "caliber",
              "confidence")  # fmt: skip
    shared = [key for key in WORDS if key.split(".")[0] in groups and key in pages]
    assert {key.split(".")[0] for key in shared} == set(groups)
    # A button begins with a capital, a cell does not.
    ours = {key: (WORDS[key][0].lower(), WORDS[key][1]) for key in shared}
    assert ours == {key: (pages[key][0].lower(), pages[key][1]) for key in shared}
    assert all(en and zh for en, zh in WORDS.values())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_accuracy_over_a_filtered_list_stands_beside_the_whole_run(reviewed, choose, lang) -> None:
    whole = counts(choose(reviewed)).right
    chosen = choose(reviewed, where="outcome:wrong")
    told = "\n".join(read(chosen, lang)[1].texts)
    assert say("chart.headline.listed", lang) in told
    assert told.count(say("chart.whole", lang)) >= len(chosen.modes)
    for mode in chosen.modes:
        assert f"{whole[mode].k}/{whole[mode].n}" in told
    every = "\n".join(read(choose(reviewed), lang)[1].texts)
    assert say("chart.headline", lang) in every
    assert say("chart.whole", lang) not in every


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_gold_reads_as_on_the_pages_with_its_caliber(reviewed, choose, lang) -> None:
    chosen = choose(reviewed)
    told = "\n".join(read(chosen, lang)[1].texts)
    golds = rows(chosen.cursor, "SELECT * FROM run.golds")
    assert any("亿" in amount(g["value_text"], g["unit"]) for g in golds)
    for gold in golds:
        line = next(x for x in told.splitlines() if amount(gold["value_text"], gold["unit"]) in x)
        for name in ("scope", "attribution"):
            code = gold[name]
            assert code is None or pages(f"{name}.{code}", lang) in told
        assert (gold["metric"] or "") in line
        assert (gold["period"] or "") in line


def test_every_bar_has_its_legend_even_of_one_colour() -> None:
    drawn = stacked("t", [("dense", [Part("outcome-wrong", "wrong", 2)])], "none")
    assert '<div class="legend"><span>' in drawn


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_imported_run_names_its_file_and_its_questions(tmp_path, lang) -> None:
    path = tmp_path / "their <b>.jsonl"
    path.write_text('{"id": "q1", "question": "Q?", "answer": "1", "gold": []}\n', "utf-8")
    execute(path, tmp_path / "store", None, {})
    with closing(Registry.open(tmp_path / "store", read_only=True)) as registry:
        (run,) = registry.runs()
        told = read(selected(registry, tmp_path / "store", run.run_id), lang)[1].texts
    assert "their <b>.jsonl" in told
    assert say("fact.imported", lang) in told
    assert any(run.questions_name in one for one in told)
