"""Classifiers that the service trains or calls: features of items, models, and calls over HTTP.

One that is stored is named by `quorate.registry.stored_types`.
"""
