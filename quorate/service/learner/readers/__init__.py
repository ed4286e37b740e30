"""One file = one way to read items as rows of numbers. Each is learnt from the items that teach, and kept with them."""
