"""A small typed language over the questions of a run: text in, bound SQL out."""
