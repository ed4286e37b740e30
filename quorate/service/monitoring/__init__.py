"""Metrics for Prometheus, and the heartbeat of the learner."""
