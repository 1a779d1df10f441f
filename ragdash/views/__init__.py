"""Read-only questions to one attached run file; one module a page, bound parameters only."""
