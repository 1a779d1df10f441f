"""The Question page."""
