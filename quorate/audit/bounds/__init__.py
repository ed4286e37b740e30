"""What a random audit says of the errors in the rest: bounds that hold but for a stated share of audits."""
