"""The endpoints of a run: opened and probed before the first question, closed after the last."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ragdash.core.call import Budget

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ragdash.core.call import Endpoint, Probe
    from ragdash.core.run import QuestionResult, RunConfig
    from ragdash.llm.base import Prompt
    from ragdash.llm.client import EndpointClient


@dataclass(frozen=True, slots=True)
class Opened:
    """A client that asks at the level which its endpoint was found to honour."""

    client: EndpointClient
    probe: Probe

    def identity(self, prompts: Iterable[Prompt]) -> dict[str, Any]:
        """Return what makes it another generator or judge where it differs."""
        endpoint = self.client.endpoint
        return {
            "model": endpoint.model,
            "host": self.client.host,
            "level": self.probe.level.value,
            "temperature": endpoint.temperature,
            "seed": endpoint.seed,
            "max_tokens": endpoint.max_tokens,
            "prompts": {prompt.name: prompt.digest for prompt in prompts},
        }


class Endpoints:
    """The clients of one run: one call cache, one budget; close it after the run."""

    def __init__(self, store: Path, budget: Budget | None) -> None:
        from ragdash.llm.spending import Spending

        self._store = store
        self._spending = Spending(budget or Budget())
        self._closing = ExitStack()

    def check(self, endpoint: Endpoint) -> None:
        """Refuse an address or a missing key before anything is asked.

        Raises:
            ConfigError: the address or a limit cannot be.
            EnvironmentError_: the key is not set.
        """
        from ragdash.llm.client import EndpointClient

        EndpointClient(endpoint, spending=self._spending).close()

    def open(self, endpoint: Endpoint) -> Opened:
        """Return a client for an endpoint, which has been asked what it honours.

        Raises:
            EnvironmentError_: no key, no such host or model, or something that is no endpoint.
        """
        from ragdash.llm.client import EndpointClient
        from ragdash.llm.probe import probe
        from ragdash.store.calls import CallStore
        from ragdash.store.registry import prepare

        found = probe(endpoint, spending=self._spending)
        prepare(self._store)
        cache = self._closing.enter_context(closing(CallStore(self._store)))
        client = EndpointClient(endpoint, level=found.level, cache=cache, spending=self._spending)
        return Opened(self._closing.enter_context(client), found)

    def spent(self, results: Iterable[QuestionResult]) -> None:
        """Enter what a run that goes on has spent before; what the cache gave was free."""
        for result in results:
            for call in result.calls:
                if not call.cached:
                    tokens = (call.prompt_tokens or 0) + (call.completion_tokens or 0)
                    self._spending.enter(call.tries, tokens, call.cost or 0.0)

    def close(self) -> None:
        """Close every client and its cache."""
        self._closing.close()


def places(*roles: Opened | None) -> int:
    """Return how many questions wait for endpoints at once.

    Twice what may be in flight: a call that waits before a retry leaves its place to another.
    """
    return 2 * sum(opened.client.endpoint.concurrency for opened in roles if opened)


def described(config: RunConfig, generator: Opened | None, judge: Opened | None) -> dict[str, Any]:
    """Return what a run's environment says of its endpoints; nothing where none is asked."""
    from ragdash.llm.probe import self_judged

    roles = {"generator": generator, "judge": judge}
    found: dict[str, Any] = {
        "endpoints": {
            role: {"probe": asdict(opened.probe)} for role, opened in roles.items() if opened
        }
    }
    if not found["endpoints"]:
        return {}
    both = config.generator.endpoint, config.judge.endpoint
    found["self_judged"] = bool(both[0] and both[1] and self_judged(both[0], both[1]))
    return found


def identities(generator: Opened | None, judge: Opened | None) -> dict[str, object]:
    """Return generator and judge as they stand among the models of a run."""
    from ragdash.generate.prompts import PROMPTS as OF_GENERATOR
    from ragdash.metrics.prompts import PROMPTS as OF_JUDGE

    found: dict[str, object] = {}
    if generator is not None:
        found["generator"] = generator.identity(OF_GENERATOR)
    if judge is not None:
        found["judge"] = judge.identity(OF_JUDGE)
    return found
