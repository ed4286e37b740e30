"""Where the browser of this machine is."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str | None:
    """The one that QUORATE_CHROMIUM names, else the first that is installed."""
    return os.environ.get("QUORATE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
