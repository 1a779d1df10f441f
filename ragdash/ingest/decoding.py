"""Bytes of HTML and text files to characters, by rules that do not guess from statistics."""

from __future__ import annotations

import codecs
import re

from ragdash.core.errors import InputError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']?([\w.:-]{1,40})"""
    rb"""|<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""",
    re.IGNORECASE,
)
MOST_BYTES = 64_000_000
"""A bigger HTML or text file is no filing."""
_HEAD = 4_096
"""Bytes in which a declaration is looked for."""
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "gb_2312-80": "gb18030", "x-gbk": "gb18030",
    "iso-8859-1": "cp1252", "iso8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252",
    "us-ascii": "cp1252", "ascii": "cp1252", "windows-1252": "cp1252",
}  # fmt: skip
"""What browsers read for these names, which files use for more than they stand for."""
_CHINESE = ("gb18030", "big5", "big5-hkscs", "hz")
_BY_LANGUAGE = {"zh": "gb18030", "en": "cp1252"}


def decoded(data: bytes, lang: str, name: str) -> str:
    """Return a file's text.

    A byte order mark decides; else a Chinese encoding that the file declares, if it fits; else
    UTF-8, if it fits (files that are UTF-8 often declare ISO-8859-1); else what the file declares;
    else GB18030 for a Chinese document and Windows-1252 for an English one.

    Args:
        data: the bytes.
        lang: the manifest's, "zh" or "en".
        name: how the manifest names the file, for messages.

    Raises:
        InputError: none of them fits, or the text holds zero bytes.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _whole(_strict(data[len(mark) :], encoding), [encoding], data, name)
    declared = _declaration(data)
    tries = [declared] if declared in _CHINESE else []
    tries += ["utf-8", *([declared] if declared else []), _BY_LANGUAGE.get(lang, "cp1252")]
    tries = list(dict.fromkeys(tries))
    for encoding in tries:
        text = _strict(data, encoding)
        if text is not None:
            return _whole(text, tries, data, name)
    return _whole(None, tries, data, name)


def _declaration(data: bytes) -> str:
    """The encoding that a file names for itself, where Python knows it; else an empty string."""
    found = _DECLARED.search(data[:_HEAD])
    if found is None:
        return ""
    said = (found[1] or found[2]).decode("ascii").lower()
    try:
        known = codecs.lookup(_WIDER.get(said, said))
    except LookupError:
        return ""
    # A declaration that could be read as ASCII is not in UTF-16, whatever it says.
    return "" if known.name.startswith("utf-16") or not known._is_text_encoding else known.name


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except ValueError:
        return None


def _whole(text: str | None, tries: list[str], data: bytes, name: str) -> str:
    if text is None:
        where = _first_bad(data, tries[0])
        raise InputError(
            f"{name} is not text in {' or '.join(tries)} (byte {where}); save it as UTF-8."
        )
    if "\0" in text:
        where = text.index("\0")
        raise InputError(f"{name} holds a zero byte at character {where}; it is no text file.")
    return text


def _first_bad(data: bytes, encoding: str) -> int:
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        return error.start
    return 0
