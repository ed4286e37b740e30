"""How far all workers agree: one number each."""
