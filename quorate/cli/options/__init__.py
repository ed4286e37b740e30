"""Options that several commands share: votes, gold, costs, learners, output.

A module declares options and turns their values into objects of the library. An option of a single command is declared
in its file in `quorate.cli.commands`.
"""
