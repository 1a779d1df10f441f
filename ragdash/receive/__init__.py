"""Results of other systems, in our open form, as results of ours: what is given, no more."""
