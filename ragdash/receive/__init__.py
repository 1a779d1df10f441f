"""Results of other systems, in our open form, as results of ours: what is given, no more."""

from __future__ import annotations

from ragdash.receive.looks import refuse_other
from ragdash.receive.receiving import Received, identity_of, receive

__all__ = ["Received", "identity_of", "receive", "refuse_other"]
