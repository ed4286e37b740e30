"""Forecasts of votes, spend, days and errors: of a design, after a pilot, and of a running project."""
