"""Options that several commands share: votes, items, costs, policies, learners, output.

A module declares options, mostly as groups (see `groups`), and turns their values into objects of the library. An
option of a single command is declared in its file in `quorate.cli.commands`.
"""
