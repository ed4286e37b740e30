import hmac

import pytest

from quorate.service.errors import Refused
from quorate.service.projects.settings import PanelEntry
from quorate.service.signing import is_signed, sign
from quorate.service.workers.panel_entry import check_entry

KEY = b"a secret key that only tests know"


def test_a_signature_is_for_one_key_purpose_and_text() -> None:
    right = sign(KEY, "link", "1", "v7")
    assert is_signed(right, KEY, "link", "1", "v7")
    assert not is_signed(right, KEY + b"!", "link", "1", "v7")
    assert not is_signed(right, KEY, "door", "1", "v7")
    assert not is_signed(right, KEY, "link", "1v7")
    assert not is_signed(right, KEY, "link", "1", "v7", "")
    assert not is_signed(right[:-1], KEY, "link", "1", "v7")
    assert not is_signed("\ud800é", KEY, "link", "1", "v7")
    assert not is_signed("", KEY, "link", "1", "v7")


def test_signatures_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def compare(first: bytes, second: bytes) -> bool:
        compared.append(first)
        return False

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert not is_signed(sign(KEY, "link", "1"), KEY, "link", "1")  # right, but the comparison decides
    with pytest.raises(Refused, match="signature"):
        check_entry(PanelEntry(), "key", worker="P1", session=None, signature="sig")
    assert compared == [sign(KEY, "link", "1").encode(), b"sig"]
