"""One file = one policy: it says of every task whether to accept an answer or to ask for one more vote."""
