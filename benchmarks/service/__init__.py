"""How fast and how steady the service is, and how well its forecasts hold."""
