"""Voters that are no people: models elsewhere that say what they think of items."""
