"""The values a user holds: votes, posteriors, decisions, costs, scores, items."""
