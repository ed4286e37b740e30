"""Speed, accuracy and cost, always beside a peer or a yardstick measured in the same run: `python -m benchmarks`."""
