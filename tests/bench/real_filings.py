"""Real filings: convert the shared questions to our form, and print what a run over them found.

    python tests/bench/real_filings.py convert SHARED/data OUT.jsonl
    python tests/bench/real_filings.py show STORE RUN

SHARED is the folder beside the checkout; nothing of it is copied into the project. A question is
taken where its own report (the first gold page) is among the PDFs, and where nothing in them can
answer it.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

UNITS = {
    "元": "CNY",
    "USD million": "USD",
    "USD billion": "USD",
    "USD": "USD",
    "percent": "percent",
    "ratio": "ratio",
    "days": "days",
}
KINDS = {
    "lookup": "lookup",
    "caliber": "lookup",
    "computed": "computed",
    "metrics-generated": "lookup",
}
SCOPES = {"consolidated": "consolidated", "parent_company": "parent"}


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the records of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def convert(shared: Path, out: Path) -> None:
    """Write the questions whose reports are among the PDFs, and those nothing can answer."""
    in_corpus = {r["doc_id"] for r in rows(shared / "pdf" / "manifest.jsonl")}
    labels = {r["fact_id"]: r["label"] for r in rows(shared / "facts" / "zh_facts.jsonl")}
    taken = []
    for name in ("zh", "fb", "erc"):
        for record in rows(shared / "questions" / f"{name}.jsonl"):
            pages = record["gold_pages"]
            if record["answerable"] and pages and pages[0]["doc_id"] in in_corpus:
                taken.append(answerable(record, in_corpus, labels))
            elif not record["answerable"]:
                taken.append(question(record, kind="lookup", answerable=False))
    out.write_text("".join(json.dumps(q, ensure_ascii=False) + "\n" for q in taken), "utf-8")
    print(f"{len(taken)} questions, {sum(q['answerable'] for q in taken)} answerable: {out}")  # noqa: T201


def question(record: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a record in our form, without gold and evidence unless they are given."""
    period = record.get("period")
    empty = {"gold": [], "gold_text": "", "evidence": [], "note": record["qtype"]}
    return {
        "id": record["qid"],
        "question": record["question"],
        "lang": record["lang"],
        "company": record["company"] if isinstance(record["company"], str) else None,
        "period": str(period) if period else None,
        **empty,
        **fields,
    }


def answerable(
    record: dict[str, Any], in_corpus: set[str], labels: dict[str, str]
) -> dict[str, Any]:
    """Return an answerable record with its gold in the base unit and its pages in the corpus."""
    gold = record["gold"]
    golds = []
    if gold:
        unit = UNITS[gold["base_unit"]]
        metric = labels.get(record.get("fact_id", ""))
        asked = {"metric": metric} if metric and unit != "percent" else {}
        scope = SCOPES.get(record.get("scope", ""))
        golds = [{"value": str(gold["base_value"]), "unit": unit, "scope": scope, **asked}]
    return question(
        record,
        kind=KINDS.get(record["qtype"], "text") if golds else "text",
        gold=golds,
        gold_text=record["answer_text"],
        evidence=[p for p in record["gold_pages"] if p["doc_id"] in in_corpus],
        answerable=True,
    )


def show(store: Path, run_id: str) -> None:
    """Print the refusal table and the lost questions by layer of each mode."""
    from ragdash.store.attach import attach
    from ragdash.store.registry import Registry

    with closing(Registry.open(store, read_only=True)) as registry:
        ref = registry.resolve(run_id)
    name = run_id if ref.version == 1 else f"{ref.run_id}.{ref.version}"
    cursor = attach(store / "runs" / f"{name}.duckdb")
    table = cursor.execute(
        """SELECT mode, CASE WHEN NOT answerable THEN '3 not in the corpus'
                             WHEN evidence_visible THEN '1 evidence visible'
                             ELSE '2 in the corpus, not visible' END AS evidence,
                  count(*) FILTER (answer_status = 'refused') AS refused,
                  count(*) FILTER (answer_status = 'answered') AS answered
           FROM run.results JOIN run.questions USING (question_id)
           GROUP BY ALL ORDER BY ALL"""
    ).fetchall()
    layers = cursor.execute(
        """SELECT mode, layer, diagnosis_reason, count(*) FROM run.results WHERE layer IS NOT NULL
           GROUP BY ALL ORDER BY ALL"""
    ).fetchall()
    for title, lines in (("mode, evidence, refused, answered", table), ("lost at", layers)):
        print(f"\n{title}")  # noqa: T201
        for line in lines:
            print("  " + "  ".join(str(v) for v in line))  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1] == "convert":
        convert(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        show(Path(sys.argv[2]), sys.argv[3])
