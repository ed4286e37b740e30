"""How good classifiers learnt from votes are, and what learning costs."""
