"""Targets: from votes and their posterior to what a learner is taught.

One file is one kind of target; `base` has what they share. How far a prediction is from its target is in
`quorate.learning.losses`.
"""
