"""The command line: parse, call, show. One file per command."""
