"""How the weights move for a batch: one file = one step."""
