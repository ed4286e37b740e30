import pytest

from quorate import registry
from quorate.errors import MethodError


@pytest.mark.parametrize("folder", ["bases", "heads", "targets", "losses", "steps"])
def test_every_choice_of_every_part_is_checked(folder: str) -> None:
    for name in registry.names(f"learning.{folder}"):
        part = registry.method_class(f"learning.{folder}", name)
        for option, default in registry.options(f"learning.{folder}", name).items():
            if "Literal" in str(part.__annotations__[option]):
                with pytest.raises(MethodError, match=f"{option} must be one of"):
                    part(**{option: f"no {default}"})
