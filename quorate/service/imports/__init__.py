"""Files of items: format and columns are guessed, rows are read, and a thread adds them to the project."""
