"""Commands of `quorate`.

One file is one command, or one group of them. Options that several commands share are in `quorate.cli.options`, how
tables and bars are printed is in `quorate.cli.console`.
"""
