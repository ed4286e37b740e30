"""Simulated workers that use the HTTP API of a service, for demos and load tests.

They lease items, wait for a response time, vote according to known true labels, and stop. Votes that are drawn in
memory, without a service, are in `quorate.simulation`.
"""
