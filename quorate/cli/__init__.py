"""The command line: parse arguments, call the library, show the result.

Commands are in `commands`, options that several of them share in `options`. Nothing is computed here: a command calls
`quorate.api` and other packages. This is the only package that imports typer and rich.
"""
