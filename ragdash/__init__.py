"""Inspect runs of RAG systems that answer questions over financial reports."""

__version__ = "0.1.0"
