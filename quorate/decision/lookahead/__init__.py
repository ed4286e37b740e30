"""The expected value of buying one more vote."""
