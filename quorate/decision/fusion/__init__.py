"""One file = one way to add up what machines and people say of a task."""
