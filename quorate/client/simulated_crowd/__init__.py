"""Made-up people who work by the real API of the service: they ask, think and answer, and know a truth it does not."""
