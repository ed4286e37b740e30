"""What a learner is taught: one file = one way to turn votes and their posterior into targets."""
