"""One round over a whole pool: read a snapshot, predict, train, fit, decide, and write what changed.

When a round is due is decided in `learner`.
"""
