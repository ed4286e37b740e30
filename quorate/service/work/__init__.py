"""The work of a voter: tasks are leased, shown, answered, amended, and given back."""
