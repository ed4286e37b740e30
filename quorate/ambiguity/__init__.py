"""Which items are ambiguous: one file = one score of items, (n_tasks,) each."""
