"""Bases of networks: from an item to a feature vector.

Each file defines one base; files that begin with `_` are shared by several bases. Heads, which turn features into
probabilities of classes and votes, are in `quorate.learning.heads`.
"""
