"""A prompt and its data become messages: what is data is fenced, by construction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragdash.llm.base import Message
from ragdash.llm.fence import Fence, fence_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ragdash.llm.base import Prompt

_NONE = {"zh": "（无）", "en": "(none)"}


def prompt_language(lang: str) -> str:
    """Return the language a prompt is written in: "zh" for Chinese questions, "en" for all else."""
    return "zh" if lang == "zh" else "en"


def messages(
    prompt: Prompt, lang: str, data: Mapping[str, str | Sequence[str]], **words: str
) -> tuple[Message, Message]:
    """Return the system and the user message of one request.

    Args:
        prompt: its user template names every key of `data` and `words`, and may name `mark`.
        lang: the question's language.
        data: untrusted text by place; each is fenced, a sequence as blocks numbered from 1.
        **words: our own words by place, put in as they are.
    """
    lang = prompt_language(lang)
    every = [t for value in data.values() for t in ([value] if isinstance(value, str) else value)]
    fence = fence_for(every)
    places = {name: _fenced(fence, name, value) or _NONE[lang] for name, value in data.items()}
    user = prompt.user[lang].format(mark=fence.mark, **places, **words)
    return Message("system", prompt.system[lang]), Message("user", user)


def _fenced(fence: Fence, name: str, value: str | Sequence[str]) -> str:
    if isinstance(value, str):
        return fence.around(name, value)
    # A plural place holds blocks of the singular: chunks, chunk 1, chunk 2.
    one = name.removesuffix("s")
    return "\n".join(fence.around(f"{one} {n}", text) for n, text in enumerate(value, 1))
