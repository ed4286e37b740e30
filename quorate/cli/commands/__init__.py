"""Commands of `quorate`.

One file is one command, or one group of them. Options that several commands share are in `quorate.cli.options`, how
results look in `quorate.cli.show`. A command parses its options, calls a function of `quorate.api` and shows
what it returns.
"""
