"""One file = one learner."""
