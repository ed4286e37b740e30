"""HTTP routes, one module per resource: requests are checked, and what the capabilities return becomes a response."""
