"""Losses: the distance of predictions from their targets, one number per row.

Each file defines one loss; `base` has what they share. Targets are in `quorate.learning.targets`. Losses of heads that
model each worker are part of the head, in `quorate.learning.heads`.
"""
