"""Training of networks: the loop, batches, recipe, schedules and checkpoints.

The parts of a network are in the folders `bases`, `heads`, `targets`, `losses` and `steps`; `protocols` defines what
each part must provide. The learner that uses all of them is `quorate.learning.learners.network`.
"""
