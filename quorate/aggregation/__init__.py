"""Truth inference: one file, one method."""
