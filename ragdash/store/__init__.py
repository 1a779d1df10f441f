"""Runs as files: a journal while running, one immutable DuckDB file when done, a registry of all."""
