"""Classifiers that learn from votes: networks of exchangeable parts, and the only home of torch.

A network is a base (what it sees), a head (how it explains the votes), a target, a loss and a recipe of training.
`linear` and what wraps a learner (joint_em, cross_fit) need no torch.
"""
