"""The quick form of a benchmark has the rows and the targets of the full one."""

from pathlib import Path

import pytest

from benchmarks.catalogue import BENCHMARKS
from benchmarks.harness import Figures
from tests.benchmarks.stubs import Stub


def stub_of(name: str) -> Stub:
    """Return what replaces the slow parts of a benchmark; skip where a package that it imports is not installed."""
    stubs: dict[str, Stub] = pytest.importorskip(f"tests.benchmarks.stubs.{name.partition('/')[0]}").STUBS
    return stubs[name]


@pytest.mark.parametrize("name", BENCHMARKS)
def test_quick_has_the_rows_and_targets_of_full(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QUORATE_DATA", str(tmp_path))
    measure = stub_of(name)(monkeypatch)
    full, quick = Figures(), Figures()
    measure(full, False)
    measure(quick, True)
    assert full.rows
    assert quick.names() == full.names()


def test_names_and_targets_that_differ_are_noticed() -> None:
    one, other, judged = Figures(), Figures(), Figures()
    one.add("read 10 votes", 1, "s")
    other.add("read 100 votes", 1, "s")
    judged.add("read 10 votes", 1, "s", most=2)
    assert one.names() != other.names()
    assert one.names() != judged.names()
