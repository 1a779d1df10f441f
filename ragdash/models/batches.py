"""Batches of inputs that have the same number of tokens, so that nothing is padded.

A padded batch sums over more numbers, in another order: the last bits of a text's result would then
depend on the texts beside it, and with them a tie, a resumed run or a run over fewer questions. On
two cores a batch of one long passage is as fast a token as a padded batch of eight.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# larger ones gain nothing on two cores, and their activations cost memory
BATCH = 8


class Tokenizing(Protocol):
    """The part of a sentence-transformers model that turns inputs into tokens."""

    def preprocess(self, inputs: Any, prompt: str | None = None) -> Any:
        """Return the features of the inputs, padded to the longest."""


def equal_lengths(
    model: Tokenizing, inputs: Sequence[Any], prompt: str | None = None
) -> Iterator[list[int]]:
    """Yield the positions of the inputs in batches of equal token count, the longest first.

    Args:
        model: whose tokens are counted; inputs of a model that pads nothing are all of one length.
        inputs: texts, or pairs of texts.
        prompt: what the model puts before each.
    """
    if not inputs:
        return
    mask = model.preprocess(list(inputs), prompt=prompt).get("attention_mask")
    lengths = [0] * len(inputs) if mask is None else mask.sum(1).tolist()
    order = sorted(range(len(inputs)), key=lambda i: (-lengths[i], i))
    for _, group in groupby(order, key=lengths.__getitem__):
        alike = list(group)
        for start in range(0, len(alike), BATCH):
            yield alike[start : start + BATCH]
