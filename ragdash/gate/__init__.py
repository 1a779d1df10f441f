"""Does a RUN:mode pass a file of rules: one verdict for `ragdash gate` and the Gates page."""
