"""The command line: parse arguments, call the library, show the result.

Commands are in `commands`, options that several of them share in `options`, and how results look in `show`. Nothing is
computed here: a command calls `quorate.api`. This is the only package that imports typer and rich.
"""
