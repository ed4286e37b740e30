"""Measures of inter-annotator agreement: one number for all votes.

One file is one measure. Scores of single workers, such as agreement with their peers, are in `quorate.quality.workers`.
"""
