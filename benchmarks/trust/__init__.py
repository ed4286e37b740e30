"""Benchmarks of trust: whether stated probabilities and errors can be believed."""
