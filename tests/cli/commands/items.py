"""Forty items of two features, and the label that goes by the first of them."""

import numpy as np

X = np.random.default_rng(0).normal(size=(40, 2)).round(3)
TRUE = np.where(X[:, 0] > 0, "yes", "no")
