"""Losses: how far predictions are from their targets, one number per row.

One file is one loss; `base` has what they share. Targets are in `quorate.learning.targets`. Losses of heads that model
each worker are part of the head, in `quorate.learning.heads`.
"""
