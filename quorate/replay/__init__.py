"""Policies tried on recorded votes."""
