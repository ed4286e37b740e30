"""Scores of items: (n_tasks,) each."""
