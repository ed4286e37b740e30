"""Targets: from votes and their posterior to the training targets of a learner.

Each file defines one kind of target; `base` has what they share. Losses between predictions and targets are in
`quorate.learning.losses`.
"""
