"""How far the probabilities of a consensus can be believed, and what its errors are."""
