"""Files of results: decisions, votes, items, workers and payments, in several formats."""
