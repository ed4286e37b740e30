"""Policies: for every task, accept a label or ask for one more vote.

One file is one policy. Files that begin with `_`, and `consensus`, are shared by several policies. How votes and
classifiers are combined is in `quorate.decision.fusion`, the value of a further vote in `quorate.decision.lookahead`.
"""
