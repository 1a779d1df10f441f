"""One file a metric; METRICS holds them in display order.

To add one: a file with a `Metric`, a line here, a test.
"""

from __future__ import annotations

from ragdash.metrics import (
    answer_accuracy,
    answer_relevancy,
    caliber,
    citation,
    context_relevance,
    faithfulness,
    grounding,
    numeric,
    refusal,
    retrieval,
    similarity,
)

METRICS = (
    answer_accuracy.METRIC,
    numeric.METRIC,
    grounding.METRIC,
    caliber.METRIC,
    *refusal.METRICS,
    *citation.METRICS,
    *retrieval.METRICS,
    faithfulness.METRIC,
    answer_relevancy.METRIC,
    context_relevance.METRIC,
    *similarity.METRICS,
)

BY_NAME = {metric.name: metric for metric in METRICS}
