"""What a run has spent of its budget: calls, tokens, money and seconds, over all its threads."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass

from ragdash.core.call import Budget, CallReason

_RUN = re.compile(r"[!-~]+")
_HAN = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]")


@dataclass(frozen=True, slots=True)
class Spent:
    """So far: requests sent, tokens of prompts and replies, money, and seconds since the start."""

    calls: int
    tokens: int
    money: float
    seconds: float


class Spending:
    """One budget, shared by every client of a run; its seconds begin when it is made.

    A request that is sent counts as a call, a retry too. What is in flight is held back at what
    requests have cost so far, so that threads together pass a limit by about one request at most;
    near a limit they wait for one another.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._changed = threading.Condition()
        self._began = time.monotonic()
        self._calls = 0
        self._tokens = 0
        self._money = 0.0
        self._settled = 0
        self._in_flight = 0

    def remaining(self) -> float | None:
        """Return the seconds that are left, 0 where none are; None where there is no deadline."""
        if self.budget.seconds is None:
            return None
        return max(0.0, self._began + self.budget.seconds - time.monotonic())

    def spent(self) -> Spent:
        """Return what has been spent so far."""
        with self._changed:
            seconds = time.monotonic() - self._began
            return Spent(self._calls, self._tokens, self._money, seconds)

    def enter(self, calls: int, tokens: int, money: float) -> None:
        """Count what was spent before: by the part of a run that is resumed."""
        with self._changed:
            self._calls += calls
            self._tokens += tokens
            self._money += money

    def claim(self, tokens: int, money: float) -> CallReason:
        """Take the right to send one request, which `settle` gives back; or say why not.

        Args:
            tokens: at most, for the first requests, as long as nothing is known.
            money: likewise.
        """
        with self._changed:
            while True:
                remaining = self.remaining()
                if remaining == 0:
                    return CallReason.PAST_DEADLINE
                if self._is_spent():
                    return CallReason.OVER_BUDGET
                if not self._in_flight or not self._may_pass(tokens, money):
                    self._calls += 1
                    self._in_flight += 1
                    return CallReason.NONE
                self._changed.wait(remaining)

    def settle(self, tokens: int, money: float) -> None:
        """Enter what a claimed request has cost; 0 for one that was not served."""
        with self._changed:
            self._tokens += tokens
            self._money += money
            self._in_flight -= 1
            if tokens or money:
                self._settled += 1
            self._changed.notify_all()

    def _is_spent(self) -> bool:
        budget = self.budget
        return any(
            limit is not None and used >= limit
            for used, limit in (
                (self._calls, budget.calls),
                (self._tokens, budget.tokens),
                (self._money, budget.money),
            )
        )

    def _may_pass(self, tokens: int, money: float) -> bool:
        """Return whether what is in flight might use up a limit by itself."""
        for used, limit, most in (
            (float(self._tokens), self.budget.tokens, float(tokens)),
            (self._money, self.budget.money, money),
        ):
            each = used / self._settled if self._settled else most
            if limit is not None and used + each * self._in_flight >= limit:
                return True
        return False


def tokens_at_least(text: str) -> int:
    """Return a number of tokens that a text surely takes, whatever the tokenizer.

    A run of ASCII without blanks is one token or more, and four Han characters or kana are: no
    vocabulary has many longer pieces. Real texts take about twice as many.
    """
    return len(_RUN.findall(text)) + len(_HAN.findall(text)) // 4
