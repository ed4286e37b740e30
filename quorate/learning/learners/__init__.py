"""Learners: classifiers with `fit` and `predict_proba`, fitted to items, votes and a posterior.

One file is one learner. Files that begin with `_` are shared by several learners or are steps of one. The parts of a
network are in the sibling folders, its training in `quorate.learning.training`.
"""
