"""Fixtures against policies: load, show a policy only what it may see, score, count."""
