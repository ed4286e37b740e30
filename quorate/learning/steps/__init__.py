"""Optimisation steps: the update of the weights of a network for one batch.

Each file defines one step. The optimiser and the learning rate are part of the recipe, in `quorate.learning.training`.
"""
