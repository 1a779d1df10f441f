"""`python -m ragdash.cli`."""

from ragdash.cli import main

main()
