"""Methods are found by their names; errors name what is wrong with a name or an installation."""

from typing import Any

import pytest

from quorate import registry
from quorate.errors import MissingExtraError, UnknownNameError


def test_a_wrong_name_is_told_by_its_kind() -> None:
    with pytest.raises(UnknownNameError, match="there is no head 'crowdlayer': did you mean 'crowd_layer'"):
        registry.method("learning.heads", "crowdlayer")


def test_a_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named 'torch' ({name})", name="torch")

    monkeypatch.setattr(registry.methods, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"mlp needs torch, .*: pip install 'quorate\[deep\]'"):
        registry.module("quorate.learning.bases.mlp")


def test_defaults_that_are_parts_are_shown_by_name() -> None:
    assert registry.options("learning.learners", "network")["base"] == "Mlp()"
