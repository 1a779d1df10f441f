"""From a spec to a loaded embedder or reranker; the only importer of sentence_transformers.

Here lie `ModelIdentity`, `Embedder` and `Reranker` (base), specs (spec), the conversion of the
embedded model (e5_weights, e5), its two rerankers (maxsim, joint) and `load_embedder` and
`load_reranker` (loading).
"""
