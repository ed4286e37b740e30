"""Cells that a spreadsheet would run as a formula: escaped in exports, and unescaped in files that we exported."""

import re

FORMULA_STARTS = "=+-@\t\r"
FORMULA = rf"^'*[{re.escape(FORMULA_STARTS)}]"  # also one that is escaped already, so that unescaping is exact
_FORMULA = re.compile(FORMULA)


def escape(cell: str) -> str:
    """Return the cell, with an apostrophe before the start of a formula.

    >>> escape("=1+1"), escape("plain"), escape("'=x")
    ("'=1+1", 'plain', "''=x")
    """
    return "'" + cell if _FORMULA.match(cell) else cell


def unescape(cell: str) -> str:
    """Return the cell as it was before it was escaped.

    >>> unescape("'=1+1"), unescape("'quoted'"), unescape("''=x")
    ('=1+1', "'quoted'", "'=x")
    """
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell
