"""Pieces of the tolerant triple parser: a reader for lists and objects, a reader for lines, the rules of shape."""
