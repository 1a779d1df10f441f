"""From chunks to something that can be searched, by words and by meaning.

Here lie the tokenizer (tokenize), BM25 in two variants (bm25), the embeddings with what makes them
reusable (embeddings), exact dense search (dense), and both together on disk (corpus_index).
"""
