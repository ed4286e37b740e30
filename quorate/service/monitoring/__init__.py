"""Metrics and heartbeats for whoever runs the service."""
