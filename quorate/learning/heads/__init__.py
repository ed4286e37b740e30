"""How a network explains what it is taught: one file = one head, from features to classes and from those to votes."""
