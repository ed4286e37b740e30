"""Can the numbers be believed: probabilities of the consensus, stated errors, ranks of workers and rating scales."""
