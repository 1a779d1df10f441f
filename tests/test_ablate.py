"""Ablation: the stored ranks give what retrieving again would have given."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.ablate import ablate, own_setting, settings
from ragdash.cli import invoke
from ragdash.core.ablation import KeptRank, KeptRanks, Setting
from ragdash.core.errors import InputError
from ragdash.core.retrieval import Mode, RankedChunk, RankTrace, Retrieval
from ragdash.core.run import RetrievalConfig, RunConfig
from ragdash.retrieve.fusion import fuse
from ragdash.store.ablations import kept_ablations
from ragdash.store.journal import Journal
from ragdash.store.registry import Registry
from ragdash.store.runfile import publish

RUN = "20261130-0936-demo-3f2a"
LEGS = st.lists(st.permutations(range(9)), min_size=2, max_size=2)


def stored(question_id: str, dense, bm25, gold, config: RetrievalConfig, scores=None) -> KeptRanks:
    """What a run with this config would have kept of two full rankings of positions."""
    dense, bm25 = dense[: config.candidates_dense], bm25[: config.candidates_bm25]
    fused = fuse((dense, bm25), config.rrf_k, config.weights)
    kept = [
        KeptRank(
            str(f.position),
            *f.ranks,
            rank,
            scores[f.position] if scores and rank <= config.candidates_rerank else None,
        )
        for rank, f in enumerate(fused, start=1)
    ]
    if scores:
        cut = config.candidates_rerank
        kept = [*sorted(kept[:cut], key=lambda c: -c.rerank_score), *kept[cut:]]
    return KeptRanks(question_id, frozenset(map(str, gold)), tuple(kept))


@given(
    st.lists(st.tuples(LEGS, st.sets(st.integers(0, 8), max_size=3)), min_size=1, max_size=5),
    st.integers(0, 90),
    st.tuples(st.sampled_from([0.0, 0.3, 1.0, 2.0]), st.sampled_from([0.5, 1.0])),
    st.integers(1, 9),
    st.integers(1, 9),
)
def test_a_setting_ranks_the_gold_as_fusing_from_scratch_does(
    drawn, rrf_k, weights, candidates, top_k
) -> None:
    config = RetrievalConfig(top_k=3, candidates_dense=9, candidates_bm25=9)
    questions = [
        stored(f"q{i}", dense, bm25, gold, config) for i, ((dense, bm25), gold) in enumerate(drawn)
    ]
    setting = Setting(rrf_k, weights, candidates, top_k)
    (cell,) = ablate(Mode.HYBRID, config, questions, [setting]).cells
    for i, ((dense, bm25), gold) in enumerate(drawn):
        again = fuse((dense[:candidates], bm25[:candidates]), rrf_k, weights)
        worth = {f.position: (-f.score, min(r for r in f.ranks if r)) for f in again}
        rank = cell.gold_rank[f"q{i}"]
        best = min((worth[g] for g in gold if g in worth), default=None)
        assert (rank is None) == (best is None)
        if rank is not None and best is not None:
            before = sum(w < best for w in worth.values())
            tied = sum(w == best for w in worth.values())
            assert before < rank <= before + tied


@given(LEGS, st.permutations(range(9)), st.integers(1, 9), st.integers(0, 40))
def test_rerank_is_open_exactly_where_a_chunk_to_be_read_was_never_scored(
    legs, order, cut, rrf_k
) -> None:
    config = RetrievalConfig(top_k=2, candidates_dense=6, candidates_bm25=6, candidates_rerank=cut)
    scores = {position: float(-place) for place, position in enumerate(order)}
    question = stored("q", legs[0], legs[1], {order[0]}, config, scores)
    setting = Setting(rrf_k, (1.0, 1.0), 6, 2)
    (cell,) = ablate(Mode.RERANK, config, [question], [setting]).cells
    again = [f.position for f in fuse((legs[0][:6], legs[1][:6]), rrf_k, (1.0, 1.0))]
    known = {c.chunk_id for c in question.candidates if c.rerank_score is not None}
    if any(str(p) not in known for p in again[:cut]):
        assert cell.open == ("q",)
        assert cell.mrr is None
        return
    final = sorted(again[:cut], key=lambda p: -scores[p]) + again[cut:]
    expected = final.index(order[0]) + 1 if order[0] in final else None
    assert cell.gold_rank == {"q": expected}


def test_the_choice_without_each_question_is_made_over_the_others_alone() -> None:
    config = RetrievalConfig(top_k=1, candidates_dense=2, candidates_bm25=2)
    # dense alone is right on a, BM25 alone on b: whichever is left out, the other leg is chosen
    a = stored("a", [0, 1], [1, 0], {0}, config)
    b = stored("b", [0, 1], [1, 0], {1}, config)
    grid = settings([60], [(1.0, 0.0), (0.0, 1.0)], [2], [1])
    (choice,) = ablate(Mode.HYBRID, config, [a, b], grid).choices
    assert (choice.hits, choice.left_out, choice.n) == (1, 0, 2)


def test_gained_and_lost_are_against_the_runs_own_order() -> None:
    config = RetrievalConfig(top_k=1, candidates_dense=2, candidates_bm25=2, weights=(1.0, 0.0))
    a = stored("a", [0, 1], [1, 0], {0}, config)
    b = stored("b", [0, 1], [1, 0], {1}, config)
    (cell,) = ablate(Mode.HYBRID, config, [a, b], [Setting(60, (0.0, 1.0), 2, 1)]).cells
    assert (cell.gained, cell.lost) == (("b",), ("a",))


@pytest.mark.parametrize(
    ("mode", "grid", "words"),
    [
        (Mode.DENSE, [Setting(60, (1.0, 1.0), 2, 1)], "RUN:hybrid or RUN:rerank"),
        (Mode.HYBRID, [Setting(60, (1.0, 1.0), 21, 1)], "more than the 20 a leg"),
    ],
)
def test_what_was_not_stored_cannot_be_asked_for(mode, grid, words) -> None:
    with pytest.raises(InputError, match=words):
        ablate(mode, RetrievalConfig(), [], grid)


def test_an_order_that_fusion_did_not_make_is_refused() -> None:
    config = RetrievalConfig(candidates_dense=2, candidates_bm25=2)
    kept = stored("问1", [0, 1], [0, 1], {0}, config)
    turned = replace(kept, candidates=kept.candidates[::-1])
    with pytest.raises(InputError, match=r"问1.*cannot be ablated"):
        ablate(Mode.HYBRID, config, [turned], [own_setting(config)])


def test_a_grid_beyond_reading_is_refused() -> None:
    with pytest.raises(InputError, match="2,500 settings"):
        settings(range(50), [(1.0, 1.0)], range(1, 51), [5])


@pytest.fixture
def hybrid_run(store, build, make_info, make_result):
    """A published run with one hybrid question, its gold dense 1, BM25 3 and fused 2."""
    gold, both, words = (build.make_chunk(f"600519-2023/p{n}/1", source_page=n) for n in (45, 7, 8))
    traces = (
        RankTrace(2, 1, 1, None, 1, in_context=True),
        RankTrace(1, 3, 2, None, 2, in_context=False),
        RankTrace(None, 2, 3, None, 3, in_context=False),
    )
    ranked = tuple(map(RankedChunk, (both, gold, words), traces))
    result = make_result("q1", Mode.HYBRID)
    result = replace(
        result,
        retrieval=Retrieval(Mode.HYBRID, "q1", ranked, 1, 0.0),
        gold_ranks=replace(result.gold_ranks, chunk_ids=(gold.chunk_id,)),
    )
    config = RunConfig(RetrievalConfig(top_k=1))
    info = make_info(RUN, modes=(Mode.HYBRID,), config=config)
    with Journal.create(store, info, ["q1"]) as journal:
        journal.append(result)
        publish(store, journal, "2026-11-30T10:00:00Z")
    return store


def test_the_command_prints_the_grid_keeps_it_and_warns_of_few_questions(
    hybrid_run, capsys
) -> None:
    line = ["ablate", RUN, "--weights", "1:1,1:0", "--rrf-k", "60", "--store", str(hybrid_run)]
    assert invoke(line) == 0
    out = capsys.readouterr().out
    assert "60*    1:1" in out
    assert "0/1 0.00" in out
    assert "gains q1" in out
    assert "A grid over 1 question overfits" in out
    with closing(Registry.open(hybrid_run, read_only=True)) as registry:
        ref = registry.resolve(RUN)
    (kept,) = kept_ablations(hybrid_run, ref)
    assert [cell["gained"] for cell in kept["cells"]] == [[], ["q1"]]
    assert invoke([*line, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["choices"][0]["hits"] == 1
    assert len(kept_ablations(hybrid_run, ref)) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rrf-k", "10,x"], "10,x"),
        (["--weights", "1:1,2"], "1:1,2"),
        (["--weights", "nan:1"], "nan:1"),
        (["--weights", "0:0"], "0:0"),
        (["--top-k", "0"], "0 is below 1"),
        (["--candidates", "21"], "more than the 20"),
    ],
)
def test_a_bad_grid_is_one_sentence_and_exit_2(hybrid_run, capsys, options, words) -> None:
    assert invoke(["ablate", f"{RUN}:hybrid", *options, "--store", str(hybrid_run)]) == 2
    assert words in capsys.readouterr().err
