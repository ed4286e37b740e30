"""Public data sets that examples and experiments download on request; none is part of Quorate."""
