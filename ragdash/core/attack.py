"""A fixture with its key, what a policy may see of it, what the policy did, and how it scored."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from decimal import Decimal

    from ragdash.core.poison import PoisonTrace, StageCount


PUBLISHED_IDS = frozenset({"safe_01", "inj_01", "poison_01", "inj_02", "cite_01", "act_01"})
# Nothing in the text tells such a figure from a right one; a control that adds parts up would.
OPEN_BY_DESIGN = "trusted_silent_corruption"


class AttackChannel(StrEnum):
    """The way in which a forbidden thing happened (attack.md section 2)."""

    CLAIM = "claim"
    CITATION_UNTRUSTED = "citation_untrusted"
    CITATION_INVALID = "citation_invalid"
    CITATION_MISSING = "citation_missing"
    ACTION = "action"
    RENDER = "render"
    AVAILABILITY = "availability"


@dataclass(frozen=True, slots=True)
class AttackChunk:
    """One retrieved passage of a fixture; `trusted` is part of the answer key."""

    id: str
    text: str
    trusted: bool
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Forbidden:
    """What must not happen; amounts in their base unit (yuan, dollars), ids of chunks."""

    amounts: tuple[Decimal, ...] = ()
    text: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()
    render: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    cites_alone: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    refusal: bool = False


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a good answer holds; `gold_rel_tol` is a share of `gold_amount`."""

    gold_amount: Decimal | None
    gold_rel_tol: Decimal
    gold_text_any: tuple[str, ...]
    cite_any: tuple[str, ...]
    flag_any: tuple[str, ...]
    poison_ids: tuple[str, ...]
    forbid: Forbidden


@dataclass(frozen=True, slots=True)
class AttackCase:
    """One fixture with its answer key (attack.md section 4)."""

    id: str
    attack_class: str
    query: str
    chunks: tuple[AttackChunk, ...]
    answerable: bool
    fault: dict[str, Any]
    expect: Expectation | None = None


@dataclass(frozen=True, slots=True)
class ChunkMeta:
    """What came with a passage, as a policy may see it; the `declared_` fields prove nothing.

    `period` is as written ("2023", "2024Q1"), `page` from 1; `hidden_spans` are half-open ranges of
    the text with why no reader sees them. `restated`: the filing says that it restates this figure.
    `label` is the citation label that ingest gave the document, empty in a fixture file.
    """

    doc_id: str = ""
    company: str = ""
    period: str = ""
    page: int | None = None
    channel: str = ""
    kind: str = ""
    declared_source: str = ""
    declared_trust: bool | None = None
    hidden_spans: tuple[tuple[int, int, str], ...] = ()
    restated: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class ViewChunk:
    """A passage as a policy sees it; `trusted` is what the run derived or was told to take."""

    id: str
    text: str
    trusted: bool
    meta: ChunkMeta = field(default_factory=ChunkMeta)


@dataclass(frozen=True, slots=True)
class PolicyView:
    """All a policy may read: class, answerable and fault do not exist here.

    `oracle_trust` says that `trusted` was copied from the fixture and not derived.
    """

    query: str
    chunks: tuple[ViewChunk, ...]
    oracle_trust: bool


@dataclass(frozen=True, slots=True)
class ControlTrace:
    """What one control decided about one passage, or about the whole case (`chunk_id` "")."""

    control: str
    decision: str
    chunk_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a passage that an answer rests on."""

    chunk_id: str
    text: str


@dataclass(frozen=True, slots=True)
class PolicyOutput:
    """What a policy answered and cited; `citations` are chunk ids.

    `fired` names the controls that changed something, in order; `trace` says what each decided.
    `quotes` is what the answer rests on. `obeys_chunks` says that the first-chunk rule
    answered, without any control: such an output is held to have followed every chunk it read, not
    only the one it repeats.
    """

    answer: str
    citations: tuple[str, ...]
    refused: bool
    actions: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    fired: tuple[str, ...] = ()
    obeys_chunks: bool = False
    quotes: tuple[Quote, ...] = ()
    trace: tuple[ControlTrace, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderCounts:
    """A case over `n` orders of its chunks: in how many it went well, was compromised, refused."""

    n: int
    good: int
    compromised: int
    refused: int


@dataclass(frozen=True, slots=True)
class ControlEffect:
    """What one control of the layered policy does on one case.

    `first`: of those that fired, it was the first. `breaks_without`: the case goes well, and no
    longer without it. `stops_alone`: without any control the policy is compromised, and with this
    one alone it is not.
    """

    control: str
    fired: bool
    first: bool
    breaks_without: bool
    stops_alone: bool


@dataclass(frozen=True, slots=True)
class AttackRow:
    """One policy on one fixture, as the public contract names it, with the view it was given.

    `citation_failure` is a share, 0 to 1: ids cited but not retrieved / ids cited.
    `fired` holds the controls that fired, in order, `trace` what they decided. Where `error` is not
    empty the policy gave no output: nothing was judged, and the row counts in no rate. `orders` and
    `effects` are there where the run was studied. `retrieval` is there where the case went through
    a retriever; `policy` then names mode and policy ("dense/layered").
    """

    policy: str
    case_id: str
    attack_class: str
    answerable: bool
    adversarial: bool
    answer: str
    citations: tuple[str, ...]
    actions: tuple[str, ...]
    flags: tuple[str, ...]
    refused: bool
    unsafe_action: bool
    citation_failure: float
    unsupported_claim: bool
    correct: bool
    compromised: bool
    channels: tuple[AttackChannel, ...]
    fired: tuple[str, ...]
    view: PolicyView
    trace: tuple[ControlTrace, ...] = ()
    error: str = ""
    orders: OrderCounts | None = None
    effects: tuple[ControlEffect, ...] = ()
    retrieval: PoisonTrace | None = None


@dataclass(frozen=True, slots=True)
class AttackRate:
    """k of n rows with the Wilson interval at 95 %; all three are None where n is 0, never 0."""

    k: int
    n: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class AttackSummary:
    """One policy over all fixtures; abstention and over-abstention are costs, not failures.

    `utility` counts answerable rows without an attack, `utility_under_attack` those with one.
    `n` counts the rows that were judged, `errors` those of all where the policy gave no output.
    `provenance_off` is the same policy where every document counts as registered. `stages` are
    there where the rows went through a retriever.
    """

    policy: str
    n: int
    unsafe_action: AttackRate
    unsupported_claim: AttackRate
    citation_failure: AttackRate
    abstention: AttackRate
    attack_success: AttackRate
    utility: AttackRate
    utility_under_attack: AttackRate
    over_abstention: AttackRate
    correct_abstention: AttackRate
    other_failure: AttackRate = AttackRate(0, 0, None, None, None)
    selective_accuracy: AttackRate = AttackRate(0, 0, None, None, None)
    coverage: AttackRate = AttackRate(0, 0, None, None, None)
    errors: AttackRate = AttackRate(0, 0, None, None, None)
    provenance_off: AttackSummary | None = None
    stages: tuple[StageCount, ...] = ()


@dataclass(frozen=True, slots=True)
class AttackInfo:
    """What identifies an attack run; a policy stands where a mode stands in other runs.

    `started_at` is ISO 8601 in UTC; `registry_digest` is None in a run marked `oracle_trust`,
    which took trust from the fixtures' own flags. `corpus_name` and `corpus_digest` are None where
    no retriever ran; `pipeline` holds the run config, question set and modes of one that did.
    """

    run_id: str
    started_at: str
    fixtures_name: str
    fixtures_digest: str
    registry_digest: str | None
    oracle_trust: bool
    policies: tuple[str, ...]
    n_cases: int
    support_threshold: float
    environment: dict[str, Any]
    corpus_name: str | None = None
    corpus_digest: str | None = None
    pipeline: dict[str, Any] | None = None
