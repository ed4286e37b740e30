"""Classifiers that the service trains or calls over HTTP, and the features of items that they use.

Stored classifiers are named by `quorate.registry.stored_types`.
"""
