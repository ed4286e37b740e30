"""Training of networks: the loop, batches, recipe, schedules and checkpoints.

What a network is made of is in the folders `bases`, `heads`, `targets`, `losses` and `steps`; `protocols` says what
each of these parts must provide. The learner that uses all of them is `quorate.learning.learners.network`.
"""
