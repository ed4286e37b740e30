import pytest

from quorate.service.accounts.passwords import hash_password, is_password
from quorate.service.errors import Invalid


def test_only_the_right_password_is_accepted() -> None:
    stored = hash_password("correct horse battery")
    assert stored.startswith("$argon2id$")
    assert is_password("correct horse battery", stored)
    assert not is_password("correct horse batterz", stored)
    assert not is_password("\ud800" * 12, stored)


def test_no_password_is_accepted_without_a_hash() -> None:
    assert not is_password("the password of nobody", None)
    assert not is_password("anything", "not a hash")


@pytest.mark.parametrize("password", ["", "nine char", "x" * 201])
def test_short_and_long_passwords_are_refused(password: str) -> None:
    with pytest.raises(Invalid, match="10 to 200 characters"):
        hash_password(password)
