"""Benchmarks of what may be believed: probabilities of labels, stated errors, and the ranking of workers."""
