"""What a network sees: one file = one base, from items to a feature vector."""
