"""The Triage page."""
