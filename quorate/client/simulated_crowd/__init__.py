"""Simulated people who work through the HTTP API of a service, for demos and load tests.

They ask for items, think, answer by a known truth and go home. Votes that are drawn in memory, without a service, are
in `quorate.simulation`.
"""
