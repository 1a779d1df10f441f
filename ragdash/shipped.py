"""Where the files lie that are shipped beside the code: app.py, pages/ and data/.

The only place that knows: at the top of a checkout, in `ragdash/_app` of a wheel (pyproject.toml
puts them there). Neither depends on the folder that a command is called from.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ragdash.core.errors import EnvironmentError_

PACKAGE = Path(__file__).resolve().parent
_INSTALLED = PACKAGE / "_app"


def checkout() -> Path | None:
    """Return the top of the checkout that this code runs from; None where it was installed."""
    if _INSTALLED.is_dir():
        return None
    top = PACKAGE.parent
    return top if (top / "pyproject.toml").is_file() and (top / "app.py").is_file() else None


@cache
def root() -> Path:
    """Return the folder that holds app.py, pages/ and data/.

    Raises:
        EnvironmentError_: there is none: the installation is not whole.
    """
    # The wheel's own folder first: beside a package in site-packages lies what is not ours.
    found = _INSTALLED if _INSTALLED.is_dir() else checkout()
    if found is None:
        raise EnvironmentError_(
            f"ragdash is not whole: neither {_INSTALLED} nor a checkout around {PACKAGE} is "
            "there; install ragdash again"
        )
    return found


def path(name: str) -> Path:
    """Return a file or folder that ships with ragdash, e.g. `data/caliber/terms.toml`.

    Raises:
        EnvironmentError_: it is not there.
    """
    found = root() / name
    if not found.exists():
        raise EnvironmentError_(
            f"{name} is missing from {root()}: restore it from the repository, or install ragdash "
            "again"
        )
    return found
