"""Decisions on items that must meet several criteria.

`screen` says which criterion of which item to ask about next. A single question per item needs none of this: it is
decided by a policy of `quorate.decision.policies`.
"""
