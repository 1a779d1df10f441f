"""The style sheet of a report; dark where the reader's system is."""

from __future__ import annotations

# Background and ink of each part, light and dark, 4.5:1 between them; as on the pages.
_PARTS = {
    "outcome-correct": ("#00705C,#3CC9A7", "#FFFFFF,#06251D"),
    "outcome-wrong": ("#B3261E,#FF9B8F", "#FFFFFF,#2B0906"),
    "outcome-error": ("#6A2C91,#C9A6F0", "#FFFFFF,#1C0A2B"),
    "outcome-unscored": ("#E3E7EB,#39424E", "#1C242D,#E9EDF1"),
    "outcome-abstained_right": ("#3E4C5E,#A9B6C6", "#FFFFFF,#10161D"),
    "outcome-abstained_wrong": ("#64748B,#D3DBE5", "#FFFFFF,#10161D"),
    "layer-ingest": ("#0B4F6C,#8ECAE6", "#FFFFFF,#06202B"),
    "layer-recall": ("#1B5FA8,#7FB6EE", "#FFFFFF,#071B30"),
    "layer-ranking": ("#6B4E00,#E8C15A", "#FFFFFF,#231A00"),
    "layer-generation": ("#8A2D5D,#F2A7CB", "#FFFFFF,#2B0A1B"),
    "layer-business": ("#8C3B00,#FFB27A", "#FFFFFF,#2B1200"),
    "layer-undetermined": ("#E3E7EB,#39424E", "#1C242D,#E9EDF1"),
}


def _pair(colours: str) -> str:
    return f"light-dark({colours})"


_PART_STYLE = "".join(
    f".{name}{{fill:{_pair(ground)};background:{_pair(ground)}}}.{name}-ink{{fill:{_pair(ink)}}}"
    for name, (ground, ink) in _PARTS.items()
)
STYLE = (
    ":root{color-scheme:light dark;--line:light-dark(#C4CAD1,#4A5563);"
    "--muted:light-dark(#59636E,#9BA7B4);--ink:light-dark(#15202B,#E9EDF1);"
    "--accent:light-dark(#1B5FA8,#7FB6EE);--ground:light-dark(#FFFFFF,#0F1216)}"
    "body{font:15px/1.55 'Source Sans 3','Noto Sans SC',sans-serif;margin:0;color:var(--ink);"
    "background:var(--ground)}main{max-width:92rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}"
    ".n{font-weight:600}dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem}"
    "dt,.muted{color:var(--muted);fill:var(--muted)}dd{margin:0;overflow-wrap:anywhere}"
    ".banner{border-left:4px solid light-dark(#8A6100,#E8C15A);padding:.4rem .8rem}"
    "figure{margin:1.5rem 0;max-width:45rem}figcaption{font-weight:600;margin-bottom:.3rem}"
    "svg{width:100%;height:auto;font:13px sans-serif}svg text{fill:var(--ink)}"
    "svg text.muted{fill:var(--muted)}.axis{stroke:var(--line)}"
    ".whisker{stroke:var(--accent);stroke-width:3}.dot{fill:var(--accent)}"
    ".legend{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.9rem}"
    ".key{display:inline-block;width:.8rem;height:.8rem;border-radius:2px;margin-right:.35rem;"
    "border:1px solid var(--line)}.wide{overflow-x:auto}"
    "table{border-collapse:collapse;width:100%;font-size:.92rem}"
    "th,td{border:1px solid var(--line);padding:.35rem .55rem;text-align:left;vertical-align:top}"
    "td{white-space:pre-wrap;overflow-wrap:anywhere;min-width:6rem}td.text{min-width:12rem}"
    "th{background:light-dark(#F4F5F3,#1A1F26)}"
    "small{color:var(--muted);font-size:.92em}summary{cursor:pointer}"
    # On a phone a row is a card, each cell under its own head.
    "@media(max-width:640px){svg{font-size:16px}table,tbody,tr,td{display:block}thead{display:none}"
    "tr{border-bottom:3px solid var(--line);padding:.4rem 0}td{border:0}"
    "td::before{content:attr(data-head);display:block;color:var(--muted);font-size:.85em}}"
    + _PART_STYLE
)
