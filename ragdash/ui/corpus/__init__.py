"""The Data page: question sets, documents of the corpus, and their pages."""
