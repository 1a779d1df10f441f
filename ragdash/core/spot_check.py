"""What a person says of a caliber (业务口径): which was asked, which was answered, do they fit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragdash.core.run import Outcome


class Fit(StrEnum):
    """Whether the answer states the figure that was asked for; unclear leaves the rule's word."""

    FITS = "fits"
    CONFLICT = "conflict"
    UNCLEAR = "unclear"


class Caliber(StrEnum):
    """Which figure is meant, as far as a person names it; not_stated is a finding of its own."""

    CONSOLIDATED = "consolidated"
    PARENT_COMPANY = "parent_company"
    ATTRIBUTABLE = "attributable"
    WITHOUT_ONE_OFF = "without_one_off"
    SEGMENT = "segment"
    PRODUCT = "product"
    REGION = "region"
    RESTATED = "restated"
    OTHER_PERIOD = "other_period"
    OTHER_METRIC = "other_metric"
    OTHER = "other"
    NOT_STATED = "not_stated"


class Confidence(StrEnum):
    """How sure a reviewer is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Risk(StrEnum):
    """Why a question is worth a look: what makes another caliber likely (dashboard.md, /reviews).

    near_miss: a high faithfulness signal beside a figure that is not the gold's. unlabelled: the
    rule found no label. none: drawn at random among those without a risk.
    """

    COMPARISON = "comparison"
    PART_OF_TOTAL = "part_of_total"
    PARENT_OR_GROUP = "parent_or_group"
    ATTRIBUTION = "attribution"
    RESTATED = "restated"
    NEAR_MISS = "near_miss"
    UNLABELLED = "unlabelled"
    NONE = "none"


class RuleVerdict(StrEnum):
    """What the caliber rule said: of the stored row, before anybody looked."""

    FITS = "fits"
    CONFLICT = "conflict"
    NEEDS_REVIEW = "needs_review"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True)
class CheckKey:
    """What is checked: the answer to one question in one mode of a run.

    Without the version: scoring again changes no answer, so what a person said of it still holds.
    """

    run_id: str
    mode: str
    question_id: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a reviewer says; `page` counts from 1 and stands with a `doc_id`."""

    fit: Fit
    confidence: Confidence
    asked: Caliber
    gold: Caliber
    answered: Caliber
    doc_id: str | None = None
    page: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """A saved check; numbers only ever grow.

    `blind` says that its form showed no other person's check. `rule` and `outcome` are what the
    code had said of `version`. `supersedes` is the number of the same reviewer's check before it.
    """

    number: int
    key: CheckKey
    version: int
    reviewer: str
    at: str
    judgement: Judgement
    blind: bool
    rule: RuleVerdict
    outcome: Outcome
    supersedes: int | None
