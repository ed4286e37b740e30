import hashlib
from pathlib import Path

import pytest

from quorate.errors import FileError
from quorate.learning.encoders.files import check_digests, digest, fingerprint


def test_another_file_than_the_published_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"published")
    digests = {"weights": hashlib.sha256(b"published").hexdigest()}
    check_digests(tmp_path, digests)
    (tmp_path / "weights").write_bytes(b"replaced")
    with pytest.raises(
        FileError, match=r"weights: is not the published file \(SHA-256 .*\): install its package again"
    ):
        check_digests(tmp_path, digests)
    (tmp_path / "weights").unlink()
    with pytest.raises(FileError, match="there is no such file"):
        check_digests(tmp_path, digests)


def test_a_fingerprint_depends_on_names_and_contents(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(b"a")
    second.write_bytes(b"a")
    assert digest(first) == digest(second) == hashlib.sha256(b"a").hexdigest()
    prints = {fingerprint([first]), fingerprint([second]), fingerprint([first, second])}
    first.write_bytes(b"bb")
    assert len(prints | {fingerprint([first])}) == 4
