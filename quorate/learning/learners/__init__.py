"""Learners: classifiers with `fit` and `predict_proba`, fitted to items, votes and a posterior.

One file is one learner. Files that begin with `_` are shared by several learners. Parts of a network are in the folders
beside this one, its training in `quorate.learning.training`.
"""
