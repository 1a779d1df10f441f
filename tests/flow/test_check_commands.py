"""`ragdash check` as a script calls it: lines in, lines out, bad ones named, exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from ragdash.check.lines import LONGEST_LINE, judge_lines
from ragdash.check.numbers import judge_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COMMAND = [sys.executable, "-m", "ragdash.cli", "check"]
GOOD = {
    "id": "q1",
    "answer": "营业收入为883.20亿元。",
    "expected_value": 88320000000,
    "unit": "CNY",
}
ENGLISH = {"id": 2, "answer": "Revenue came to $88.32 billion.", "expected_value": 88320000000,
           "unit": "USD"}  # fmt: skip


def line(row: object) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def check(*arguments: str, given: bytes = b"", expect: int = 0) -> tuple[list[Any], list[str]]:
    """What stands on stdout, read as JSON, and the lines of stderr."""
    done = subprocess.run([*COMMAND, *arguments], input=given, capture_output=True, check=False)
    assert done.returncode == expect, done.stderr.decode()
    results = [json.loads(text) for text in done.stdout.decode().splitlines()]
    return results, done.stderr.decode().splitlines()


def test_one_line_comes_out_for_each_in_their_order_with_the_id_as_given(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_bytes(line(GOOD) + line(ENGLISH))
    results, errors = check("numbers", str(file))
    candidate = {"text": "883.20亿元", "value": "88320000000", "unit": "CNY", "kind": "money"}
    assert results[0] == {
        "id": "q1", "verdict": "match", "match": True, "candidate": candidate, "reason": "equal",
    }  # fmt: skip
    assert (results[1]["id"], results[1]["match"]) == (2, True)
    assert errors == []


def test_citations_and_refusals_have_commands_of_their_own() -> None:
    cited = {"id": 1, "text": "收入883.20亿元(青禾样例·2023年报·P4)。", "chunks": [
        {"company": "青禾样例", "period": "2023", "doc_type": "annual", "page": 4,
         "text": "营业收入883.20亿元"}]}  # fmt: skip
    (found,), _ = check("citations", "-", given=line(cited))
    assert found["well_formed"]
    assert found["citations"] == [
        {"text": "(青禾样例·2023年报·P4)", "well_formed": True, "resolves": True, "supports": True}
    ]
    refused = {"id": 1, "text": "Not found in the provided filings."}
    (read,), _ = check("refusals", "-", given=line(refused))
    assert read == {"id": 1, "is_refusal": True, "fixed_text": True, "refusal_with_answer": False}


def test_every_bad_line_is_named_and_the_good_ones_are_scored() -> None:
    bad: list[tuple[bytes, str, Any]] = [
        (b"{not json\n", "no JSON object", None),
        (b"[1]\n", "not a list", None),
        (b"null\n", "not null", None),
        (line({**GOOD, "answer": ""}), "no_output", "q1"),
        (line({**GOOD, "unit": "万元"}), "'unit' is '万元'", "q1"),
        (line({k: v for k, v in GOOD.items() if k != "unit"}), "'unit' is missing", "q1"),
        (line({**GOOD, "expected_value": float("nan")}), "finite", "q1"),
        (line({**GOOD, "expected_value": float("inf")}), "finite", "q1"),
        (line(GOOD).replace(b"88320000000", b"1e999"), "digits", "q1"),
        (line(GOOD).replace(b"88320000000", b"1e99999999999999999999"), "out of any range", None),
        (line(GOOD).replace(b"88320000000", b"9" * 5_000), "no JSON object", None),
        (line(GOOD).replace(b"88320000000", b"[" * 100_000), "no JSON object", None),
        (line({**GOOD, "tolerance": -1}), "'tolerance'", "q1"),
        (line({**GOOD, "id": True}), "'id' is True", None),
        (line({k: v for k, v in GOOD.items() if k != "id"}), "'id' is missing", None),
        (b'{"id": 1, "id": 2}\n', "stands twice", None),
        (b'{"id": "\xff"}\n', "not UTF-8 at byte 9", None),
        (line({**GOOD, "answer": "9" * LONGEST_LINE}), "longer than", None),
    ]
    given = b"".join(b + line(GOOD) for b, _, _ in bad)
    results, errors = check("numbers", "-", given=given, expect=2)
    assert [r["match"] for r in results[1::2]] == [True] * len(bad)
    assert len(errors) == len(bad) + 1
    for at, ((_, named, kept), result) in enumerate(zip(bad, results[::2], strict=True)):
        assert set(result) == {"id", "line", "error"}
        assert (result["id"], result["line"]) == (kept, 2 * at + 1)
        assert named in result["error"]
        assert errors[at] == f"stdin, line {2 * at + 1}: {result['error']}"
    assert f"{len(bad)} of {2 * len(bad)} lines" in errors[-1]


def test_a_mark_crlf_blank_lines_and_a_last_line_without_end_are_taken() -> None:
    given = b"\xef\xbb\xbf" + line(GOOD).replace(b"\n", b"\r\n") + b"\r\n  \n" + line(GOOD)[:-1]
    results, _ = check("numbers", "-", given=given)
    assert [r["match"] for r in results] == [True, True]


def test_what_is_not_read_may_hold_anything() -> None:
    row = line({**GOOD, "latency": float("nan"), "deep": [[[{}]]], "class": None})
    results, _ = check("numbers", "-", given=row)
    assert results[0]["match"]


def test_half_a_surrogate_pair_is_no_crash() -> None:
    row = json.dumps({**GOOD, "id": "\ud800", "answer": "\udc00 883.20亿元"}).encode()
    results, _ = check("numbers", "-", given=row)
    assert (results[0]["id"], results[0]["match"]) == ("\ud800", True)


@pytest.mark.parametrize("name", ["none.jsonl", "."])
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, name: str) -> None:
    results, errors = check("refusals", str(tmp_path / name), expect=2)
    assert results == []
    assert len(errors) == 1
    assert "cannot be read" in errors[0]


@pytest.mark.parametrize(
    ("given", "named"), [(b"", "no line"), (b"\n \n", "no line"), ("{}".encode("utf-16"), "UTF-16")]
)
def test_a_file_without_a_line_is_refused(given: bytes, named: str) -> None:
    results, errors = check("numbers", "-", given=given, expect=2)
    assert results == []
    assert len(errors) == 1
    assert named in errors[0]


def test_a_line_is_answered_before_the_next_is_asked() -> None:
    with subprocess.Popen(
        [*COMMAND, "numbers", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for row in (GOOD, ENGLISH):
            process.stdin.write(line(row))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == row["id"]
        process.stdin.close()
        assert process.wait() == 0


def test_a_reader_that_goes_away_ends_the_command_quietly(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    # More than a pipe holds, so that the command must notice.
    file.write_bytes(line(GOOD) * 1_500)
    with subprocess.Popen(
        [*COMMAND, "numbers", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")  # noqa: PTH110
def test_an_output_that_is_full_is_a_matter_of_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    file.write_bytes(line(GOOD))
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = subprocess.run(
            [*COMMAND, "numbers", str(file)], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1
    assert b"cannot be written" in done.stderr


class Endless(io.RawIOBase):
    """n lines, never in memory together; of thirty texts, as some of what is read is kept."""

    def __init__(self, n: int) -> None:
        self._rows: Iterator[int] = iter(range(n))
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left:
            at = next(self._rows, None)
            text = f"营业收入为{(at or 0) % 30}.20亿元，员工1,204人。"
            self._left = b"" if at is None else line({**GOOD, "id": at, "answer": text})
        piece, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)


def judge_all(n: int) -> None:
    assert sum(1 for _ in judge_lines(io.BufferedReader(Endless(n)), judge_line)) == n


def peak(n: int) -> int:
    """Bytes of Python objects that n lines needed at most."""
    tracemalloc.start()
    try:
        judge_all(n)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_file() -> None:
    judge_all(300)  # what is loaded once, and what a bounded cache keeps
    few, many = peak(60), peak(900)
    # A line is 150 bytes and its judgement more, so that kept lines would be 300 kB and above.
    assert many < few + 150_000
