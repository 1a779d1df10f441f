from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.index.ranking import best

# few values, so that ties are the rule
SCORES = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 0.5000001, 2.0]), max_size=30)


@settings(deadline=None)
@given(SCORES, st.integers(0, 40), st.data())
def test_the_best_are_those_of_a_full_sort_with_ties_by_position(
    scores: list[float], k: int, data: st.DataObject
) -> None:
    among = data.draw(st.lists(st.sampled_from(range(len(scores))), unique=True)) if scores else []
    found = best(np.array(scores), k, np.array(sorted(among), dtype=np.intp))
    expected = sorted(among, key=lambda i: (-scores[i], i))[:k]
    assert list(found.positions) == expected
    assert list(found.scores) == [scores[i] for i in expected]
    everything = best(np.array(scores), k)
    assert (
        list(everything.positions) == sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]
    )
