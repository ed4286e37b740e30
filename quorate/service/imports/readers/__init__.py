"""One module per format of a file of items, with what each needs to read large files in little memory."""
