"""Models and databases that earlier versions of Quorate stored, with the predictions they made.

The files in this folder were written when type names were module paths, those in `short_names` when they were such as
`reader/words`. Each was written by the code of its time; not to be written again.
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def content(name: str) -> Any:
    """Return what one of the JSON files holds."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))
