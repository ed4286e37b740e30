"""The state of tasks: votes and predictions are the evidence, a policy decides, and the new state is written.

Here a few tasks at a time, while a request waits. `refit` decides on a whole pool with the same functions.
"""
