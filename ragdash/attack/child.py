"""The process in which a policy runs: it is handed views as JSON, and never a fixture.

One JSON object a line on stdin, one on stdout: `{"policy", "view"}` for an answer, with `output`
for the policy's own check of a raw output. What the policy prints goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from ragdash.attack.named import NamedPolicy, policy_named
from ragdash.attack.wire import decode_output, encode_output
from ragdash.core.attack import PolicyView
from ragdash.core.errors import RagdashError
from ragdash.jsonlines import printable
from ragdash.store.codec import decode

if TYPE_CHECKING:
    from collections.abc import Iterable


def serve(requests: Iterable[str], answers: Any) -> None:
    """Answer each request line with a line."""
    known: dict[str, NamedPolicy] = {}
    for line in requests:
        reply = json.dumps(_reply(json.loads(line), known), ensure_ascii=False, allow_nan=False)
        answers.write(reply.encode("utf-8", "replace") + b"\n")
        answers.flush()


def _reply(request: dict[str, Any], known: dict[str, NamedPolicy]) -> dict[str, Any]:
    name = request["policy"]
    try:
        if name not in known:
            known[name] = policy_named(name)
        if "view" not in request:
            return {"ok": True}
        view = decode(PolicyView, request["view"])
        if "output" in request:
            return {
                "output": encode_output(
                    known[name].validate(view, decode_output(request["output"]))
                )
            }
        return {"output": encode_output(known[name].answer(view))}
    except RagdashError as error:
        return {"error": str(error)}
    except Exception as error:  # noqa: BLE001 - a policy's fault is a stored error, not our end
        return {"error": printable(f"{type(error).__name__}: {error}", 300)}


def main() -> None:
    """Serve stdin, with stdout kept for replies alone."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with replies:
        serve(sys.stdin, replies)


if __name__ == "__main__":
    main()
