"""How an HTML element is drawn, as far as it decides who sees its text and where a page ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ragdash.ingest.hidden import TINY, WHITE, Colour, HiddenKind, alike

OFF_PAGE = 900.0
"""Pixels; text moved this far to the left or the top is moved off the page."""
_NAMED: dict[str, Colour] = {
    "white": WHITE, "black": (0, 0, 0), "red": (255, 0, 0), "green": (0, 128, 0),
    "blue": (0, 0, 255), "yellow": (255, 255, 0), "gray": (128, 128, 128),
    "grey": (128, 128, 128), "silver": (192, 192, 192), "navy": (0, 0, 128),
    "maroon": (128, 0, 0), "teal": (0, 128, 128), "whitesmoke": (245, 245, 245),
    "snow": (255, 250, 250), "ivory": (255, 255, 240), "ghostwhite": (248, 248, 255),
    "windowtext": (0, 0, 0), "lightgrey": (211, 211, 211), "lightgray": (211, 211, 211),
}  # fmt: skip
_HEX = re.compile(r"#?([0-9a-f]{6}|[0-9a-f]{8}|[0-9a-f]{3,4})")
_RGB = re.compile(
    r"rgba?\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*(?:[,/]\s*([\d.]+%?)\s*)?\)"
)
_LENGTH = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))\s*(px|pt|pc|in|cm|mm|em|rem|ex|%|vw|vh)?")
_PIXELS = {"px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78,
           "vw": 10.0, "vh": 10.0, "rem": 16.0}  # fmt: skip
_BREAKS = ("always", "page", "left", "right", "recto", "verso")
_SIDES = ("left", "top")
_HTML_SIZES = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}


@dataclass(frozen=True, slots=True)
class Look:
    """What an element's text inherits; `background` is None where a picture lies beneath it."""

    hidden: HiddenKind | None = None
    colour: Colour = (0, 0, 0)
    background: Colour | None = WHITE
    size: float = 16.0
    visible: bool = True
    clear: bool = False
    block: bool | None = None
    break_before: bool = False
    break_after: bool = False

    @property
    def why_hidden(self) -> HiddenKind | None:
        """Why the element's own text is not seen, or None where it is."""
        if self.hidden is not None:
            return self.hidden
        if not self.visible:
            return HiddenKind.NOT_DISPLAYED
        if self.clear:
            return HiddenKind.TRANSPARENT
        if self.size < TINY:
            return HiddenKind.TINY
        if self.background is not None and alike(self.colour, self.background):
            return HiddenKind.COLOUR
        return None


def look_of(name: str, attributes: dict[str, str], declared: dict[str, str], parent: Look) -> Look:
    """Return how an element inside `parent` is drawn, given what sheet and style attribute say."""
    if not declared and not (attributes.keys() & _TELLING) and name not in _ALWAYS_HIDDEN:
        return _plain(parent)
    hidden = parent.hidden or _hidden(name, attributes, declared)
    size = _size(declared, attributes if name == "font" else {}, parent.size)
    colour, clear = parent.colour, parent.clear
    said = declared.get("color") or (attributes.get("color", "") if name == "font" else "")
    if said and said not in ("inherit", "currentcolor"):
        found = colour_of(said)
        colour, clear = (found or _UNKNOWN_TEXT), said == "transparent" or _see_through(said)
    visibility = declared.get("visibility", "")
    visible = visibility not in ("hidden", "collapse") if visibility else parent.visible
    return Look(
        hidden=hidden,
        colour=colour,
        background=_background(declared, attributes.get("bgcolor", ""), parent.background),
        size=size,
        visible=visible,
        clear=clear,
        block=_block(declared.get("display", "")),
        break_before=_breaks(declared, "before"),
        break_after=_breaks(declared, "after"),
    )


_TELLING = frozenset(("hidden", "aria-hidden", "bgcolor", "color", "size", "background"))
_ALWAYS_HIDDEN = {
    "ix:hidden": HiddenKind.XBRL_HIDDEN,
    "template": HiddenKind.NOT_DISPLAYED,
    "noscript": HiddenKind.NOT_DISPLAYED,
}
_UNKNOWN_TEXT: Colour = (128, 0, 128)
"""Stands for a colour that is not understood: it is like no page's background."""


@lru_cache(maxsize=1_000)
def _plain(parent: Look) -> Look:
    return replace(parent, block=None, break_before=False, break_after=False)


def _hidden(name: str, attributes: dict[str, str], declared: dict[str, str]) -> HiddenKind | None:
    """What hides an element with all that is in it, whatever that is styled as."""
    if name in _ALWAYS_HIDDEN:
        return _ALWAYS_HIDDEN[name]
    display = declared.get("display", "")
    if display == "none" or ("hidden" in attributes and not display):
        return HiddenKind.NOT_DISPLAYED
    if attributes.get("aria-hidden", "").strip().lower() == "true":
        return HiddenKind.ARIA_HIDDEN
    if _is_none(declared.get("opacity", "1")):
        return HiddenKind.TRANSPARENT
    if declared.get("position") in ("absolute", "fixed"):
        if any(_pixels(declared.get(side, "")) <= -OFF_PAGE for side in _SIDES):
            return HiddenKind.OFF_PAGE
        if "rect(0" in declared.get("clip", "") or "rect(1px" in declared.get("clip", ""):
            return HiddenKind.NOT_DISPLAYED
    if _pixels(declared.get("text-indent", "")) <= -OFF_PAGE:
        return HiddenKind.OFF_PAGE
    narrow = any(
        _is_none(declared.get(k, "auto")) for k in ("width", "height", "max-width", "max-height")
    )
    if narrow and declared.get("overflow", "").startswith(("hidden", "clip")):
        return HiddenKind.NOT_DISPLAYED
    return None


def _is_none(value: str) -> bool:
    found = _LENGTH.fullmatch(value)
    return found is not None and float(found[1]) < 0.02


def _pixels(value: str) -> float:
    """A length in pixels, relative ones by the usual 16; 0 where it is none."""
    found = _LENGTH.fullmatch(value)
    if found is None:
        return 0.0
    return float(found[1]) * _PIXELS.get(found[2] or "px", 16.0)


def _size(declared: dict[str, str], font: dict[str, str], inherited: float) -> float:
    """The font size in pixels."""
    value = declared.get("font-size", "")
    if not value and "font" in declared:
        value = next(
            (
                w.partition("/")[0]
                for w in declared["font"].split()
                if w[0].isdigit() and not w.isdigit()
            ),
            "",
        )
    if not value:
        return _HTML_SIZES.get(font.get("size", ""), inherited)
    found = _LENGTH.fullmatch(value)
    if found is None:
        # A word: "smaller" can be nested, but nobody nests it down to nothing.
        return inherited if value in ("smaller", "larger", "inherit") else 16.0
    number, unit = float(found[1]), found[2]
    if unit in ("em", "%", "ex"):
        return number * inherited * {"em": 1.0, "%": 0.01, "ex": 0.5}[unit]
    return number * _PIXELS.get(unit or "px", 1.0)


def _background(declared: dict[str, str], bgcolor: str, beneath: Colour | None) -> Colour | None:
    said = declared.get("background-color") or declared.get("background") or bgcolor.lower()
    picture = declared.get("background-image", "none")
    if "url(" in said or "gradient" in said or picture not in ("none", ""):
        return None
    if not said or said in ("transparent", "none", "inherit", "initial") or _see_through(said):
        return beneath
    return colour_of(said) or next(filter(None, map(colour_of, said.split())), None)


def _see_through(said: str) -> bool:
    found = _RGB.fullmatch(said)
    return bool(found and found[4]) and _is_none(found[4]) if found else False


@lru_cache(maxsize=2_000)
def colour_of(said: str) -> Colour | None:
    """Return a colour as CSS or an old attribute writes it, None where it is not understood."""
    said = said.strip().lower()
    if said in _NAMED:
        return _NAMED[said]
    if found := _HEX.fullmatch(said):
        digits = found[1]
        if len(digits) < 6:
            digits = "".join(2 * d for d in digits)
        red, green, blue = (int(digits[k : k + 2], 16) for k in (0, 2, 4))
        return red, green, blue
    if found := _RGB.fullmatch(said):
        red, green, blue = (min(255, int(found[k])) for k in (1, 2, 3))
        return red, green, blue
    return None


def _block(display: str) -> bool | None:
    if not display or display in ("inherit", "initial", "contents"):
        return None
    return not display.startswith("inline")


def _breaks(declared: dict[str, str], where: str) -> bool:
    value = declared.get(f"page-break-{where}") or declared.get(f"break-{where}", "")
    return value in _BREAKS
