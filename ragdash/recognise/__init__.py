"""From a question to the companies and periods that it is about, and to the documents on them.

Here lie the names of companies (names), the reporting periods of a question (periods), the words
that only ask (asking), and the choice of documents (documents).
"""

from __future__ import annotations

from ragdash.recognise.documents import Recogniser

__all__ = ["Recogniser"]
