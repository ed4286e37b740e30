"""Bases of networks: from an item to a feature vector.

One file is one base. Files that begin with `_` are shared by several bases. How features become classes and votes is in
`quorate.learning.heads`.
"""
