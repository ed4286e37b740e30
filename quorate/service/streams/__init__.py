"""News of projects, as they come, to any number of listeners."""
