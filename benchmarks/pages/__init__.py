"""How soon the pages answer in a real browser."""
