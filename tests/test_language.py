"""Plain English in code, documentation, help and messages: names, first words of docstrings, and words to avoid."""

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

import quorate

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "quorate"
SERVICE = PACKAGE / "service"

# Names that do not say what they hold. CONTRIBUTING explains what to write instead.
VAGUE = frozenset(("said", "told", "known", "found", "there", "made", "given", "place", "one", "each"))
COLUMNS = {("quorate/io/items.py", "place")}  # a parameter that has the name of its column in files and of `--columns`
MOST_IN_LIBRARY = 3  # public names: an option of the fusion auto, a field of the HTTP API, a parameter of Watch
MOST_IN_SERVICE = 7  # fields of requests and responses that have these names
MOST_IN_BENCHMARKS = 37  # half of them in modules whose code is hashed: renaming there would run all kept replays again

# A function docstring starts with an imperative verb. D401 of ruff finds wrong forms of verbs; these are no verbs.
NO_VERBS = re.compile(
    r"""(
    What | How | Whom | Whose | Where | Whether | Which | Who | When | Why | If | The | A | An | One | Two | Three | All
    | Each | Every | Any | Some | No | None | Both | As | In | On | At | For | From | By | Of | To | With | Without
    | Within | Between | Under | Over | After | Before | Until | Same | Such | This | That | These | Those | It | Its
    | They | Their | Here | There | Only | Also | Even | More | Most | Less | Least | Many | Few | Several
    )""",
    re.X,
)

AVOIDED = re.compile(
    r"""\b(
    foretells? | foretold | foretelling | anew | kin | mends? | mended | mending | reckons? | whereof | thereof
    | dear(er|est)? | deals?\ out | dealt\ out | (is|are|be)\ told | tells\ of | what\ (became|becomes)\ of | so\ many
    | of\ equals | hair's\ breadth | at\ odds | taken\ home | it\ is\ said | let\ loose | likeliest
    )\b""",
    re.I | re.X,
)


FORMER_NAMES = frozenset(
    (
        "def foretell(self, settings: Mapping[str, Any], *, items: int, accuracy: float) -> Json:",
        """warn_renamed("the method 'foretell'", "forecast", since="0.2")""",
    )
)


def package() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def library() -> list[Path]:
    return [path for path in package() if SERVICE not in path.parents]


def bound_names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield every name that is assigned or is a parameter, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno


def vague_names(paths: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in paths
        for name, line in bound_names(ast.parse(path.read_text(encoding="utf-8")))
        if name in VAGUE and (path.relative_to(ROOT).as_posix(), name) not in COLUMNS
    ]


def test_names_in_the_library_say_what_they_hold() -> None:
    vague = vague_names(library())
    assert len(vague) <= MOST_IN_LIBRARY, "\n".join(vague)


def test_names_in_the_service_say_what_they_hold() -> None:
    vague = vague_names(sorted(SERVICE.rglob("*.py")))
    assert len(vague) <= MOST_IN_SERVICE, "\n".join(vague)


def test_names_in_benchmarks_say_what_they_hold() -> None:
    vague = vague_names(sorted((ROOT / "benchmarks").rglob("*.py")))
    assert len(vague) <= MOST_IN_BENCHMARKS, "\n".join(vague)


def docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the place and docstring of every function; a property is described by a noun."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_property(node):
            text = ast.get_docstring(node)
            if text:
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", text


def _is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = {getattr(decorator, "id", getattr(decorator, "attr", "")) for decorator in function.decorator_list}
    return bool(names & {"property", "cached_property", "setter"})


def starts_with_a_verb(docstring: str) -> bool:
    first = re.match(r"[A-Za-z]+", docstring)
    return first is not None and first[0][0].isupper() and not NO_VERBS.fullmatch(first[0])


def test_docstrings_of_functions_start_with_a_verb() -> None:
    wrong = [
        f"{where}: {text.splitlines()[0]}"
        for path in package()
        for where, text in docstrings(path)
        if not starts_with_a_verb(text)
    ]
    assert not wrong, "\n".join(wrong)


def exported_functions() -> dict[str, FunctionType]:
    """Return the functions, and the public methods of the classes, that packages of the library export."""
    names = [module.name for module in pkgutil.iter_modules(quorate.__path__, "quorate.") if module.ispkg]
    packages = [import_module(name) for name in ("quorate", *names) if name != "quorate.service"]
    exports = [getattr(package, name) for package in packages for name in getattr(package, "__all__", ())]
    classes = [base for export in exports if inspect.isclass(export) for base in export.__mro__]
    methods = [getattr(value, "__func__", value) for base in classes for value in vars(base).values()]
    return {
        f"{function.__module__}.{function.__qualname__}": function
        for function in (*exports, *methods)
        if isinstance(function, FunctionType) and function.__module__.startswith("quorate.")
    }


def unlisted_parameters(function: FunctionType) -> list[str]:
    """Return the parameters that a docstring does not list one per line, where there are three or more."""
    text = inspect.getdoc(function) or ""
    names = [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]
    if len(names) < 3 or function.__name__.startswith("_") or text.startswith("See "):
        return []
    return [name for name in names if not re.search(rf"^ +\*{{0,2}}{name}\b", text, re.M)]


def test_exported_functions_list_three_or_more_parameters() -> None:
    functions = exported_functions()
    assert "quorate.api.decide.decide" in functions
    unlisted = {name: missing for name, function in functions.items() if (missing := unlisted_parameters(function))}
    assert not unlisted, "\n".join(f"{name}: {', '.join(missing)}" for name, missing in sorted(unlisted.items()))


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [("Return the labels.", True), ("What it is.", False), ("The labels.", False), ("labels of tasks", False)],
)
def test_what_counts_as_a_verb(docstring: str, expected: bool) -> None:
    assert starts_with_a_verb(docstring) == expected


PAGES = [path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".ts", ".tsx", ".css")]
READ_BY_PEOPLE = sorted(
    [*package(), *PAGES, *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.py")]
)


def test_words_to_avoid_do_not_come_back() -> None:
    """Search code, pages, documentation, help texts and messages; the map of CONTRIBUTING only lists files."""
    seen = [
        f"{path.relative_to(ROOT)}:{number}: {word[0]}"
        for path in READ_BY_PEOPLE
        for number, line in enumerate(_without_map(path.read_text(encoding="utf-8")).splitlines(), 1)
        if (word := AVOIDED.search(line)) and line.strip() not in FORMER_NAMES
    ]
    assert not seen, "\n".join(seen)


def _without_map(text: str) -> str:
    return re.sub(r"<!-- map: .*?<!-- end of map -->", lambda part: "\n" * part[0].count("\n"), text, flags=re.S)


@pytest.mark.parametrize("text", ["It is told so.", "a dear vote", "what became of it", "Foretold"])
def test_words_to_avoid_are_found(text: str) -> None:
    assert AVOIDED.search(text)


@pytest.mark.parametrize("text", ["the kindest", "a commendable idea", "tell it", "dearth"])
def test_other_words_are_left_alone(text: str) -> None:
    assert not AVOIDED.search(text)
