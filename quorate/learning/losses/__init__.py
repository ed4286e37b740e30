"""How far a prediction is from its target: one file = one loss, (log-probabilities, targets) -> one number per row."""
