"""Scores of workers: (n_workers,) each."""
