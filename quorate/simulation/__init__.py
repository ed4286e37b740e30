"""Made-up workers and votes whose truth is known."""
