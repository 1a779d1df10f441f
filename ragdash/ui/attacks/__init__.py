"""The Attacks page."""
