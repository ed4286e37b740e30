"""How fast methods of aggregation are, and how often they are right, beside crowd-kit and other readers."""
