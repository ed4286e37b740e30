"""Cells that a spreadsheet would run as a formula: marked on the way out, and unmarked in files of our own."""

import re

STARTS = "=+-@\t\r"
DANGEROUS = rf"^'*[{re.escape(STARTS)}]"  # with marks of its own, so that unmarking gives back exactly what was there
_DANGEROUS = re.compile(DANGEROUS)


def escaped(cell: str) -> str:
    """A cell with an apostrophe before what would start a formula.

    >>> escaped("=1+1"), escaped("plain"), escaped("'=x")
    ("'=1+1", 'plain', "''=x")
    """
    return "'" + cell if _DANGEROUS.match(cell) else cell


def unescaped(cell: str) -> str:
    """The cell as it was before it was escaped.

    >>> unescaped("'=1+1"), unescaped("'quoted'"), unescaped("''=x")
    ('=1+1', "'quoted'", "'=x")
    """
    return cell[1:] if cell[:1] == "'" and _DANGEROUS.match(cell) else cell
