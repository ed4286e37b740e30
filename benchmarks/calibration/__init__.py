"""What pruning ambiguous items and calibrating probabilities do."""
