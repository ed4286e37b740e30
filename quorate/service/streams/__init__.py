"""Server-sent events of projects, to any number of listeners."""
