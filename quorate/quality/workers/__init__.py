"""Scores of workers: one number for each worker.

One file is one score. Files that begin with `_` are shared by several scores. Rules that turn scores into warnings are
in `quorate.quality.flags`; models of workers, such as confusion matrices, are fitted in `quorate.aggregation`.
"""
