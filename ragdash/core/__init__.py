"""The nouns: frozen values, standard library only, no input or output."""
