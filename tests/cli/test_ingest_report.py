from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.cli.ingest import show
from ragdash.cli.progress import Progress
from ragdash.cli.quality_table import MOST_ROWS, quality_table
from ragdash.ingest.corpus import IngestReport
from ragdash.ingest.quality import DocumentQuality, Example, FindingKind, finding

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def document(doc_id: str, broken: int = 0) -> DocumentQuality:
    findings = ()
    if broken:
        cases = [Example(1, "1,23 4")] * broken
        findings = (finding(FindingKind.BROKEN_NUMBERS, broken, cases),)
    return DocumentQuality(doc_id, "贵州茅台", "2023年报", "zh", 10, 3, findings)


def test_the_table_has_a_row_a_document_and_the_sums() -> None:
    table = quality_table([document("茅台-2023", 2), document("AAPL-2022", 5), document("x")])
    rows = [line.split() for line in table.split("\n")]
    assert rows[0][:3] == ["document", "pages", "tables"]
    broken = table.split("\n")[0].split("  ")
    assert "broken" in [c.strip() for c in broken]
    assert rows[1] == ["茅台-2023", "10", "3", "-", "-", "-", "2", *["-"] * 5]
    assert rows[4] == ["all", "3", "30", "9", "-", "-", "-", "7", *["-"] * 5]


def test_a_long_table_shows_those_with_most_findings_and_sums_all() -> None:
    table = quality_table([document(f"d{n:03}", n) for n in range(MOST_ROWS + 7)])
    lines = table.split("\n")
    assert len(lines) == MOST_ROWS + 2
    assert lines[1].startswith(f"d{MOST_ROWS + 6:03}")
    assert "(7 not shown)" in lines[-1]
    assert str(sum(range(MOST_ROWS + 7))) in lines[-1].split()


def test_one_of_a_thing_is_not_several(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = IngestReport(1, 1, 1, 1, (), 5.0, quality=(document("d"),), index_seconds=3.0)
    show(report, tmp_path)
    out = capsys.readouterr().out
    assert out.startswith(
        "1 document, 1 page, 1 chunk, 1 page without text, 2.0 s reading and 3.0 s indexing\n"
    )
    assert str(tmp_path / "quality.jsonl") in out
    show(IngestReport(2, 1_234, 5, 0, (), 5.0), tmp_path)
    assert "2 documents, 1,234 pages, 5 chunks, 0 pages without" in capsys.readouterr().out


def test_the_time_left_is_that_of_the_last_minute_s_pace(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = [0.0]
    with Progress("embedding chunks", lambda: now[0]) as progress:
        for done in range(0, 1_001, 50):
            # Slow at first, ten times as fast later.
            progress.update(done, 1_000)
            now[0] += 50.0 if done < 500 else 5.0
    said = capsys.readouterr().err.split("\n")
    assert said[0] == "embedding chunks 0/1000"
    assert said[2] == "embedding chunks 200/1000, about 13 min left"
    assert said[9] == "embedding chunks 900/1000, about 20 s left"
    assert said[10] == "embedding chunks 1000/1000"


def test_no_time_is_named_before_there_is_a_pace(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("reading documents", lambda: 0.0) as progress:
        for done in range(11):
            progress.update(done, 10)
    assert "left" not in capsys.readouterr().err
