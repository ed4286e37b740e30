"""What a project will cost before it is run."""
