"""The test of a module is found by its path: `quorate/data/votes.py` is tested by `tests/data/test_votes.py`.

A module that is private to its package, `_pairs.py`, is tested by `test_pairs.py`. What every method of a kind promises
is tested in `tests/contracts`. Run with `-s` to see which modules have no test file of their own.
"""

from pathlib import Path

import quorate

LIBRARY = Path(quorate.__file__).parent
TESTS = Path(__file__).parent
OTHER_LAYOUT = {"service"}  # packages whose tests are ordered in another way
CROSS_CUTTING = {  # test files that are of no single module, and what they are of
    "doc_pages": "links, placeholders and tables of the pages",
    "docs": "the pages of methods and commands, and CONTRIBUTING",
    "examples": "the programs in `examples`",
    "exports": "the names that `quorate` exports",
    "figures_page": "the page that shows every figure",
    "import_contracts": "which package may import which",
    "language": "names, docstrings and words in code and documentation",
    "mirror": "the paths of the tests",
    "readme": "the README and the front page",
    "tuning": "the tuned constants of every package",
    "service_demo": "the demo of the service, from its start to its end",
}
LEAST_SHARE = 0.75


def modules() -> set[str]:
    """Return the modules of the library, by their paths without suffix."""
    paths = (path.relative_to(LIBRARY) for path in LIBRARY.rglob("*.py") if not path.name.startswith("__"))
    return {path.with_suffix("").as_posix() for path in paths if path.parts[0] not in OTHER_LAYOUT}


def public(module: str) -> str:
    """Return the path of a module without the underscore that makes it private."""
    folder, slash, name = module.rpartition("/")
    return folder + slash + name.removeprefix("_")


def names_of_tests() -> set[str]:
    """Return what the test files are named after, those beside this one and those below the packages of the library."""
    packages = {path.name for path in LIBRARY.iterdir() if (path / "__init__.py").is_file()} - OTHER_LAYOUT
    found = [*TESTS.glob("test_*.py"), *(path for name in packages for path in (TESTS / name).rglob("test_*.py"))]
    paths = (path.relative_to(TESTS) for path in found)
    return {path.with_name(path.stem.removeprefix("test_")).as_posix() for path in paths}


def test_each_test_file_has_its_module() -> None:
    assert names_of_tests() - {public(module) for module in modules()} == set(CROSS_CUTTING)


def test_no_two_modules_share_a_test_file() -> None:
    assert len({public(module) for module in modules()}) == len(modules())


def test_most_modules_have_a_test_file() -> None:
    tested = names_of_tests() | {module for module in modules() if module.endswith("/tuning")}  # by test_tuning.py
    without = sorted(module for module in modules() if public(module) not in tested)
    share = 1 - len(without) / len(modules())
    print(f"{share:.0%} of {len(modules())} modules have a test file of their own; without one:", *without)
    assert share >= LEAST_SHARE
