"""Runs as files: a journal while running, one immutable DuckDB file after, and a registry."""
