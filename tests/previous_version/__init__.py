"""Models and a database that Quorate 0.1.0 stored, when type names were module paths, with the predictions it made.

Written by that code; not to be written again.
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def content(name: str) -> Any:
    """Return what one of the JSON files holds."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))
