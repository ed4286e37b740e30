"""What can be done with the service, one file per noun, without HTTP. Each takes a Connection inside a transaction."""
