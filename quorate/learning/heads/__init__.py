"""Heads of networks: from features to classes, and from classes to votes.

One file is one head; `base` has what they share. How an item becomes features is in `quorate.learning.bases`, what a
prediction is compared with in `quorate.learning.targets`.
"""
