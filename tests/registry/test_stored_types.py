"""Type names are stable: every type that is stored has one, and it leads back to the type."""

import pytest

from quorate import registry
from quorate.registry.stored_types import PACKAGES, RENAMED, current_fields, stored_type, type_name

OTHERS = ["", "/", "fusion", "fusion/", "nothing/product", "fusion/Product", "fusion/product.", "fusion/product.np"]
OTHERS += [
    "fusion/../policies/swap",
    "fusion/product.Product.fit",
    "quorate.fusion.product.Product",
    "quorate.",
    "os.path",
]


@pytest.mark.parametrize("kind", ["aggregation", "ambiguity", "calibration", "fusion", "policy"])
def test_every_method_has_a_type_name_of_its_kind_and_file(kind: str) -> None:
    folder = PACKAGES[kind].removeprefix("quorate.")
    for name in registry.names(folder):
        method = registry.method_class(folder, name)
        assert type_name(method) == f"{kind}/{name}"
        assert stored_type(f"{kind}/{name}") is method


def test_former_names_lead_to_types_of_today() -> None:
    for name in RENAMED.values():
        assert stored_type(name) is not None


@pytest.mark.parametrize("name", OTHERS)
def test_other_names_lead_nowhere(name: str) -> None:
    assert stored_type(name) is None


def test_types_defined_elsewhere_have_no_name() -> None:
    class Local: ...

    assert type_name(Local) is None
    assert type_name(dict) is None


def test_former_fields_get_their_current_names() -> None:
    fused = stored_type("fusion/log_linear.FusedLogLinear")
    assert fused is not None
    assert current_fields(fused, {"sway": 0.5, "weight": 1.0}) == {"vote_discount": 0.5, "weight": 1.0}


@pytest.mark.parametrize("name", ["fusion/suited", "quorate.decision.fusion.suited.Suited"])
def test_a_renamed_method_is_found_by_its_former_type_name(name: str) -> None:
    cls = stored_type(name)
    assert cls is not None
    assert type_name(cls) == "fusion/auto"
