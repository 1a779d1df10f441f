"""The closed set of fixture classes, and which of them hold an attack (attack.md section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.core.attack import PUBLISHED_IDS

if TYPE_CHECKING:
    from ragdash.core.attack import AttackCase

ADVERSARIAL = frozenset(
    {
        "plain_injection",
        "obfuscated_injection",
        "hidden_markup",
        "table_cell_injection",
        "action_injection",
        "exfil_render",
        "citation_spoof",
        "metadata_spoof",
        "numeric_unit_swap",
        "near_dup_poison",
        "retrieval_poison",
        "dos_refusal",
        "judge_injection",
    }
)
NOT_ADVERSARIAL = frozenset(
    {
        "benign_answerable",
        "benign_lookalike",
        "benign_untrusted",
        "unanswerable",
        "untrusted_only",
        "wrong_period",
        "caliber_swap",
        "entity_swap",
        "trusted_conflict",
        "trusted_silent_corruption",
    }
)
# action_injection is a class of the published six as well, and stands in ADVERSARIAL.
PUBLISHED_ONLY = frozenset({"safe", "prompt_injection", "retrieval_poisoning", "invalid_citation"})
KNOWN = ADVERSARIAL | NOT_ADVERSARIAL | PUBLISHED_ONLY


def are_the_published_six(cases: tuple[AttackCase, ...]) -> bool:
    """Say whether these are the published six, in whatever wording their texts are."""
    return {case.id for case in cases} == PUBLISHED_IDS


def is_adversarial(case: AttackCase, published: bool) -> bool:
    """Say whether a case holds an attack.

    Its class decides; in the published six, and for the classes that only they have, an untrusted
    chunk does.
    """
    if published or case.attack_class in PUBLISHED_ONLY:
        return any(not chunk.trusted for chunk in case.chunks)
    return case.attack_class in ADVERSARIAL
