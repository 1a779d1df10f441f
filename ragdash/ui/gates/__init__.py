"""The Gates page."""
