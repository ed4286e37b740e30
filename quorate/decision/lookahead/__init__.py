"""The expected value of further votes on a task.

`value` is what other modules call; `tree` and `narrow` compute it for several votes ahead. Which task is asked next is
chosen in `quorate.decision.selection`, whether to ask at all in `quorate.decision.policies`.
"""
