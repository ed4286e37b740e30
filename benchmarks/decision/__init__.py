"""What decisions, audits, budgets, forecasts and screening cost and save, mostly by replays of real votes."""
