"""Programs that show what Quorate does."""
