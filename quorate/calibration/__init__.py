"""Probabilities that can be trusted, and how to measure whether they can."""
