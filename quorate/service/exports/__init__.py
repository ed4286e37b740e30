"""Files of results: items, votes, decisions, workers and payments, in several formats."""
