import pytest

from quorate.service.accounts.passwords import hash_password, password_fits
from quorate.service.errors import Invalid


def test_only_the_right_password_fits() -> None:
    kept = hash_password("correct horse battery")
    assert kept.startswith("$argon2id$")
    assert password_fits("correct horse battery", kept)
    assert not password_fits("correct horse batterz", kept)
    assert not password_fits("\ud800" * 12, kept)


def test_no_password_fits_where_there_is_none() -> None:
    assert not password_fits("the password of nobody", None)
    assert not password_fits("anything", "not a hash")


@pytest.mark.parametrize("password", ["", "nine char", "x" * 201])
def test_short_and_endless_passwords_are_refused(password: str) -> None:
    with pytest.raises(Invalid, match="10 to 200 characters"):
        hash_password(password)
