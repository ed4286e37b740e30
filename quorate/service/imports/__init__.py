"""Imports of files: format and columns are guessed, rows are read, and a thread adds the items to the project."""
