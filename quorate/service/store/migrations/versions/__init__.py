"""One file per migration, named by its number and what it does."""
