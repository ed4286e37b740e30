"""Maintenance of a service: backup, restore, doctor, and the invariants of its database."""
