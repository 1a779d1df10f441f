"""What a person says of a caliber (业务口径): which was asked, which was answered, do they fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ragdash.core.errors import InputError
from ragdash.core.review import checked_note

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
    """What the code said of the caliber before anybody looked: the rule, else the numeric gate."""

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
class CheckDraft:
    """What a reviewer has begun to say: as `Judgement`, None where nothing is chosen yet."""

    fit: Fit | None = None
    confidence: Confidence | None = None
    asked: Caliber | None = None
    gold: Caliber | None = None
    answered: Caliber | None = None
    doc_id: str | None = None
    page: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class CheckProposal:
    """A check to be saved; `version` is the one whose scores its form showed.

    `blind` says that the form showed no verdict: no check of anybody, nor the rule's; else `seen`
    is the number of the newest check of another person that it showed. `at` is ISO 8601 in UTC.
    """

    key: CheckKey
    version: int
    reviewer: str
    judgement: Judgement
    at: str
    blind: bool
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """A saved check; numbers only ever grow.

    `blind` says that the form it was made in showed no verdict. `rule` and `outcome` are
    what the code had said of `version`. `answer_digest` is the SHA-256 (hex) of the answer that was
    checked: a check holds for no other. `supersedes` is the number of the same reviewer's check
    before it.
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
    answer_digest: str
    supersedes: int | None


@dataclass(frozen=True, slots=True)
class CheckLock:
    """Who is at work on what; ISO 8601 in UTC. It holds before `until`, and not at it."""

    key: CheckKey
    reviewer: str
    since: str
    until: str


# The gold's figure may not be told, and the numeric gate may yet have read whose figure it is.
OTHER_CALIBER = ("sibling_metric", "parent_company", "part_of_the_company", "whole_company")
# What the diagnosis calls business where the gate's own reason does not say it.
SIBLING_CALIBER = "sibling_caliber"


def gate_told(number: float | None, reason: str | None, layer: str | None) -> str | None:
    """Return why an answered figure is another caliber's by the numeric gate and the diagnosis.

    Args:
        number: the value of `numeric_accuracy`.
        reason: its reason.
        layer: the code's own layer.
    """
    if number == 0 and reason in OTHER_CALIBER:
        return reason
    return SIBLING_CALIBER if layer == "business" else None


def rule_verdict(value: float | None, reason: str, told: str | None = None) -> RuleVerdict:
    """Return what a stored row of the metric `caliber` says, else what the gate told."""
    if value is not None:
        return RuleVerdict.FITS if value == 1 else RuleVerdict.CONFLICT
    if reason == "needs_review":
        return RuleVerdict.NEEDS_REVIEW
    return RuleVerdict.CONFLICT if told else RuleVerdict.NOT_CHECKED


def checked_judgement(judgement: Judgement) -> Judgement:
    """Return a judgement whose note can be kept.

    Raises:
        InputError: the note is too long or holds a character that no file can keep; a page
            without a document, or before the first.
    """
    if judgement.page is not None and judgement.doc_id is None:
        raise InputError(f"page {judgement.page} stands with no document: choose the document")
    if judgement.page is not None and judgement.page < 1:
        raise InputError(f"page {judgement.page} does not exist: pages count from 1")
    return replace(judgement, note=checked_note(judgement.note))
