"""The hybrid engine: people and a classifier that learns from their votes, on real texts, pairs and photos."""
