"""Forecasts of cost and errors: before a project starts, after its pilot, and while it runs."""
