from pathlib import Path

import pytest

from quorate.errors import FileError, MethodError
from quorate.service.secret_key import FILE_NAME, load_secret


def test_the_environment_takes_precedence(tmp_path: Path) -> None:
    assert load_secret(tmp_path, {"QUORATE_SECRET_KEY": "k" * 40}) == b"k" * 40
    assert not list(tmp_path.iterdir())


def test_a_key_is_created_once_in_a_private_file(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    key = load_secret(folder, {})
    assert len(key) >= 43
    assert load_secret(folder, {}) == key
    assert [path.name for path in folder.iterdir()] == [FILE_NAME]
    assert (folder / FILE_NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    load_secret(tmp_path, {})
    (tmp_path / FILE_NAME).chmod(mode)
    with pytest.raises(FileError, match=f"mode is {mode:o}.*chmod 600"):
        load_secret(tmp_path, {})


def test_a_short_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MethodError, match="5 characters"):
        load_secret(tmp_path, {"QUORATE_SECRET_KEY": "short"})
    (tmp_path / FILE_NAME).touch(mode=0o600)
    with pytest.raises(MethodError, match="0 characters"):
        load_secret(tmp_path, {})
