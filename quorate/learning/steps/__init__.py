"""Optimisation steps: how the weights of a network change for one batch.

One file is one step. The optimiser itself and the learning rate are part of the recipe, in `quorate.learning.training`.
"""
