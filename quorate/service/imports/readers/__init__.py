"""One module per file format, and helpers that bound the memory of reading large files."""
