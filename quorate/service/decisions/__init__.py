"""The state of tasks: votes and predictions go in, a policy decides, and the new state is written.

One task or a few at a time, while a request waits. A whole pool is decided in `refit`, by the same rules.
"""
