"""Heads of networks: from features to classes, and from classes to votes.

Each file defines one head; `base` has what they share. Bases, which turn items into features, are in
`quorate.learning.bases`; the targets of training are in `quorate.learning.targets`.
"""
