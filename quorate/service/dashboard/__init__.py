"""Summaries of a project: overview, progress, certificate, and history of its models."""
