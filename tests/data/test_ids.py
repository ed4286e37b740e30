import numpy as np
import pytest

from quorate.data.ids import as_names, shown, smallest, sort_classes


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ([True, False], ["true", "false"]),
        (np.array([True, False]), ["true", "false"]),
        ([1.0, 2.0], [1, 2]),
        ([1.5, 2.0], ["1.5", "2.0"]),
        ([np.inf, 1.0], ["inf", "1.0"]),
        ([2**70, 1], [str(2**70), "1"]),
        (np.array([2**63 + 1], dtype=np.uint64), [str(2**63 + 1)]),
        ([], []),
    ],
)
def test_names_keep_what_they_are(value: object, names: list[object]) -> None:
    assert as_names(value).tolist() == names


def test_classes_that_only_look_like_numbers_are_text() -> None:
    assert sort_classes(as_names(["--5", "10", "9"])).tolist() == ["--5", "10", "9"]
    assert sort_classes(as_names(["10", "-9", "9"])).tolist() == ["-9", "9", "10"]


def test_the_smallest_type_holds_the_index_and_minus_one() -> None:
    for size, kind in ((1, "int8"), (128, "int8"), (129, "int16"), (32768, "int16"), (32769, "int32")):
        index = smallest(np.array([size - 1, -1]), size)
        assert str(index.dtype) == kind
        assert index.tolist() == [size - 1, -1]


def test_names_are_shown_as_people_write_them() -> None:
    assert shown(np.int64(7)) == "7"
    assert shown("a") == "'a'"
