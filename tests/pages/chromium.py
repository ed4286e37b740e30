"""The browser that the tests of the pages use. `python -m tests.pages.chromium` installs one where there is none."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
BY_HAND = "install Chromium or Chrome by hand, or let QUORATE_CHROMIUM name one"
APT_PACKAGES = ("chromium", "fonts-liberation")


def find_chromium() -> str | None:
    """Return the path of the browser that QUORATE_CHROMIUM names, else of the first that is installed, else None."""
    return os.environ.get("QUORATE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None) or _playwrights()


def install_chromium() -> bool:
    """Install a browser, with Debian's or Playwright's installer; return whether there is one now."""
    for commands in (_apt_commands(), [[sys.executable, "-m", "playwright", "install", "chromium"]]):
        if commands and all(map(_succeeds, commands)) and find_chromium():
            return True
    return False


def _apt_commands() -> list[list[str]]:
    """Return the commands that install Debian's package: none where there is no apt-get, or no right to use it."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return []
    return [["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "--no-install-recommends", *APT_PACKAGES]]


def _succeeds(command: Sequence[str]) -> bool:
    print("$", *command, flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, env=environment, check=False).returncode == 0


def _playwrights() -> str | None:
    """Return the path of the browser that `playwright install chromium` installs, where it was run."""
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    return next((str(path) for path in sorted(folder.glob("chromium-*/chrome-linux*/chrome"))), None)


def main() -> int:
    """Install a browser where there is none; return the exit code."""
    path = find_chromium()
    if path is None and not install_chromium():
        print(f"No browser could be installed: {BY_HAND}.", file=sys.stderr)
        return 1
    print(f"Browser: {path or find_chromium()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
