"""Every error ragdash raises on purpose, as one tree.

RagdashError
├── InputError            what a person gave is wrong: file, line, value          exit 2
│   ├── BadFilter         a filter cannot be read, and where (ragdash/filter/faults.py)
│   ├── ConfigError       an unknown key or a value out of range in a run config
│   ├── NotComparable     two runs differ in more than one declared factor
│   ├── StaleReview       what is reviewed has changed since the form was opened
│   └── LockHeld          somebody else is at work on the question
├── EnvironmentError_     the machine lacks something: model, key, endpoint        exit 3
│   ├── ModelNotFound     a model spec that cannot be resolved here
│   ├── StoreLocked       somebody else holds the store
│   └── StoppedEarly      an endpoint or the budget ended a run that can be resumed
└── StoreError            a file of the store is damaged                          exit 3
    └── OtherVersion      it is of an older or newer version: both, and the command

The text of each says what, which value, where, and what to do.
"""

from __future__ import annotations


class RagdashError(Exception):
    """The root; `exit_code` is what the command line ends with."""

    exit_code = 1


class InputError(RagdashError):
    """Something a person gave is wrong; nothing has been written."""

    exit_code = 2


class ConfigError(InputError):
    """A run config holds an unknown key or a value that is out of range."""


class NotComparable(InputError):  # noqa: N818 - the field's term for the state, not a fault
    """Two runs differ in more than one declared factor."""


class StaleReview(InputError):  # noqa: N818 - the state of the form, not a fault
    """What a review is about has changed since its form was opened; nothing has been written."""


class LockHeld(InputError):  # noqa: N818 - the state of the question, not a fault
    """Somebody else is checking a question; nothing has been written.

    Attributes:
        reviewer: who.
        until: when the lock ends, ISO 8601 in UTC.
    """

    def __init__(self, text: str, *, reviewer: str, until: str) -> None:
        super().__init__(text)
        self.reviewer = reviewer
        self.until = until


class EnvironmentError_(RagdashError):  # noqa: N801, N818 - the bare name is a built-in
    """The machine lacks something that the work needs."""

    exit_code = 3


class ModelNotFound(EnvironmentError_):
    """A model spec cannot be resolved on this machine."""


class StoreError(RagdashError):
    """A file of the store is damaged, missing or of another version."""

    exit_code = 3


class OtherVersion(StoreError):  # noqa: N818 - the state of the file, not a fault
    """A file of the store is of a version that this ragdash does not use as it is.

    Attributes:
        found: the file's version.
        known: the version that this ragdash works with.
        command: what to run.
    """

    def __init__(self, text: str, *, found: int | None, known: int, command: str) -> None:
        super().__init__(f"{text}: `{command}`")
        self.found = found
        self.known = known
        self.command = command

    @property
    def is_newer(self) -> bool:
        """Whether a newer ragdash wrote the file."""
        return self.found is not None and self.found > self.known


class StoreLocked(EnvironmentError_):
    """Another process holds the part of the store that is needed."""


class StoppedEarly(EnvironmentError_):
    """A run ended before its last question; what it has is kept and it can be resumed."""
