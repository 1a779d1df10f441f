from __future__ import annotations

import dataclasses
import json
import types
import typing
from decimal import Decimal
from enum import Enum

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ragdash.core import (
    answer,
    attack,
    call,
    chunk,
    diagnosis,
    poison,
    question,
    retrieval,
    run,
    score,
)
from ragdash.core.attack import AttackRow
from ragdash.core.errors import StoreError
from ragdash.core.question import Gold
from ragdash.core.retrieval import RankTrace
from ragdash.core.run import QuestionResult, RunInfo
from ragdash.core.score import Score, ScoreStatus
from ragdash.store.codec import decode, dumps, encode
from ragdash.store.packing import pack, pack_chunk, unpack, unpack_chunk

MODULES = (answer, attack, call, chunk, diagnosis, poison, question, retrieval, run, score)
NOUNS = {n: v for m in MODULES for n, v in vars(m).items() if isinstance(v, type)}

# Every character there is: NUL, lone surrogates, quotes, Chinese, right-to-left marks.
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
float32 = "float32"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FINITE | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(ANY_TEXT, inner, max_size=2),
    max_leaves=4,
)
SCALARS = {
    str: ANY_TEXT,
    int: st.integers(),
    float: FINITE,
    bool: st.booleans(),
    Decimal: st.decimals(allow_nan=False, allow_infinity=False),
    typing.Any: JSON,
}


def values_of(hint: typing.Any) -> st.SearchStrategy[typing.Any]:
    """Anything that a hint of core allows, read from the hint and from nothing of ours."""
    if hint == float32:
        return st.none() | st.floats(width=32, allow_nan=False, allow_infinity=False)
    if hint in SCALARS:
        return SCALARS[hint]
    if hint is Score:
        return scores()
    if dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint, localns=NOUNS)
        if hint is RankTrace:  # scores are kept in 32 bits
            hints = {n: float32 if h == float | None else h for n, h in hints.items()}
        return st.builds(hint, **{name: values_of(inner) for name, inner in hints.items()})
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        return st.one_of([st.none() if h is types.NoneType else values_of(h) for h in inner])
    if origin is tuple and inner[-1] is Ellipsis:
        return st.lists(values_of(inner[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*[values_of(h) for h in inner])
    assert origin is dict, hint
    return st.dictionaries(values_of(inner[0]), values_of(inner[1]), max_size=2)


def scores() -> st.SearchStrategy[Score]:
    rest = {"reason": ANY_TEXT, "evidence": st.dictionaries(ANY_TEXT, JSON, max_size=2)}
    rest |= {"judge": ANY_TEXT, "repeat": st.integers(), "seconds": FINITE}
    without = [status for status in ScoreStatus if status is not ScoreStatus.SCORED]
    return st.builds(Score, ANY_TEXT, FINITE, st.just(ScoreStatus.SCORED), **rest) | st.builds(
        Score, ANY_TEXT, st.none(), st.sampled_from(without), **rest
    )


TOO_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
lenient = settings(max_examples=60, deadline=None, suppress_health_check=TOO_SLOW)


@lenient
@given(values_of(RunInfo) | values_of(AttackRow) | values_of(Gold))
def test_any_noun_comes_back_from_json_as_it_was(noun):
    text = dumps(encode(noun))

    assert text.isascii()
    assert decode(type(noun), json.loads(text)) == noun


@lenient
@given(values_of(QuestionResult))
def test_any_result_comes_back_from_its_packed_parts(result):
    used = [*(c.chunk for c in result.retrieval.candidates), *result.evidence_chunks]
    assume(len({chunk.chunk_id for chunk in used}) == len(used))
    assume(len({chunk.source.doc_id for chunk in used}) == len(used))

    packed = pack(result)
    payload = json.loads(dumps(packed.payload))
    chunks = {
        key: unpack_chunk(json.loads(dumps(pack_chunk(value))), packed.sources)
        for key, value in packed.chunks.items()
    }
    assert unpack(payload, chunks) == result


def test_chunks_and_sources_are_packed_once_however_many_candidates_share_them(make_result):
    packed = pack(make_result(n_candidates=3))

    assert len(packed.chunks) == 3
    assert len(packed.sources) == 1
    assert "营业收入 1,000.00" not in json.dumps(packed.payload["retrieval"], ensure_ascii=False)


def test_a_decimal_keeps_its_digits_and_its_precision():
    gold = Gold(Decimal("-0.10"), "percent", tolerance=Decimal("1E-7"))

    back = decode(Gold, json.loads(dumps(encode(gold))))

    assert (str(back.value), str(back.tolerance)) == ("-0.10", "1E-7")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize(
    ("field", "spoil"),
    [
        ("seconds", lambda r, x: replaced(r, "retrieval", seconds=x)),
        ("seconds", lambda r, x: replaced(r, "answer", seconds=x)),
        ("evidence", lambda r, x: replaced_score(r, evidence={"claims": [{"p": x}]})),
        ("seconds", lambda r, x: replaced_score(r, seconds=x)),
        ("dense_score", lambda r, x: replaced_trace(r, dense_score=x)),
        ("rerank_score", lambda r, x: replaced_trace(r, rerank_score=x)),
    ],
)
def test_a_number_that_is_none_is_refused_by_the_name_of_its_field(
    make_result, field, spoil, number
):
    with pytest.raises(ValueError, match=rf"{field}: .*not a finite number"):
        pack(spoil(make_result(), number))


def test_a_rank_score_too_large_for_its_column_is_refused_before_publishing(make_result):
    with pytest.raises(ValueError, match=r"bm25_score: .*in 32 bits"):
        pack(replaced_trace(make_result(), bm25_score=1e39))


def test_a_decimal_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match=r"Gold\.value: NaN is not a finite number"):
        encode(Gold(Decimal("NaN"), "CNY"))


def test_a_field_that_an_older_journal_does_not_hold_takes_its_default():
    plain = encode(Gold(Decimal(1), "CNY"))
    del plain["decimals"]

    assert decode(Gold, plain) == Gold(Decimal(1), "CNY")


@pytest.mark.parametrize(
    "plain",
    [
        {"value": "1", "unit": "CNY", "colour": "red"},
        {"unit": "CNY"},
        {"value": "x", "unit": "CNY"},
        {"value": "1", "unit": 7},
    ],
)
def test_stored_fields_that_do_not_fit_are_named_as_damage(plain):
    with pytest.raises(StoreError, match="a stored Gold cannot be read"):
        decode(Gold, plain)


def test_one_chunk_id_with_two_contents_is_refused(build, make_result):
    first, second, third = build.make_candidates(3)
    same_id = dataclasses.replace(second.chunk, chunk_id=first.chunk.chunk_id)
    result = make_result()
    bad = replaced(
        result,
        "retrieval",
        candidates=(first, dataclasses.replace(second, chunk=same_id), third),
    )

    with pytest.raises(ValueError, match="two different contents"):
        pack(bad)


def replaced(result, part, **fields):
    return dataclasses.replace(
        result, **{part: dataclasses.replace(getattr(result, part), **fields)}
    )


def replaced_score(result, **fields):
    first, *rest = result.scores
    return dataclasses.replace(result, scores=(dataclasses.replace(first, **fields), *rest))


def replaced_trace(result, **fields):
    first, *rest = result.retrieval.candidates
    spoilt = dataclasses.replace(first, trace=dataclasses.replace(first.trace, **fields))
    return replaced(result, "retrieval", candidates=(spoilt, *rest))
