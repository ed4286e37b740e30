"""One file = one file format."""
