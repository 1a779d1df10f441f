"""Lets the files of this folder import one another by name; none of them is a package."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
