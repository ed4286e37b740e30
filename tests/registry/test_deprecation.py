"""Former names of parameters: accepted with a warning, which points at the caller."""

import warnings

import pytest

from quorate.registry.deprecation import renamed_parameters


@renamed_parameters(since="0.2", old_first="first", old_second="second")
def add(start: int, *, first: int = 0, second: int = 0) -> int:
    """Return a sum."""
    return start + 10 * first + 100 * second


def test_a_former_name_is_passed_on_with_a_warning_at_the_caller() -> None:
    with pytest.warns(
        FutureWarning, match=r"add\(\): the parameter 'old_first' is called 'first' since version 0\.2"
    ) as caught:
        assert add(1, old_first=2, second=3) == 321  # type: ignore[call-arg]
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_every_former_name_gets_its_own_warning() -> None:
    with pytest.warns(FutureWarning) as caught:
        assert add(1, old_first=2, old_second=3) == 321  # type: ignore[call-arg]
    assert ["'old_first'" in str(warning.message) for warning in caught] == [True, False]


def test_current_names_do_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert add(1, first=2, second=3) == 321


def test_both_names_together_are_an_error() -> None:
    with pytest.raises(TypeError, match=r"add\(\) got both 'old_first' and 'first', its name now: give 'first' only"):
        add(1, old_first=2, first=2)  # type: ignore[call-arg]


def test_name_and_docstring_are_kept() -> None:
    assert (add.__name__, add.__doc__) == ("add", "Return a sum.")
