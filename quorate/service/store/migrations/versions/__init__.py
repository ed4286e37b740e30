"""One file per step: named by its number and what it does."""
