"""Generated pages of the site: one for each method, from its docstring, and one for each command, from its help.

A method's docstring is its page: the first line says what it is, `Model:` the model in one formula, `Use it when:` when
to use it, `Paper:` where it comes from, and a doctest shows it at work. A test fails where one of these is missing.
The docstring of a part of a network is its page as it stands. A block `Args:` or `Attributes:` with a line per option
becomes a column of the table of options.
"""

import inspect
import re
from importlib import import_module
from typing import Any

import service_pages  # beside this file
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from quorate import registry

SECTIONS = ("Model", "Use it when", "Paper")
OPTIONAL = ("Options",)  # sections that not every docstring has
OPTION_BLOCKS = ("Args", "Attributes")  # one option per line
FOLDERS = {
    "aggregation": "Aggregation methods",
    "quality.workers": "Worker scores",
    "ambiguity": "Item scores",
    "quality.agreement": "Inter-annotator agreement",
    "calibration": "Calibrators",
    "decision.policies": "Policies",
    "decision.fusion": "Fusion of classifiers and votes",
}

PARTS = {
    "learning.bases": "Bases of networks",
    "learning.heads": "Heads of networks",
    "learning.targets": "Training targets",
    "learning.losses": "Losses",
    "learning.steps": "Optimisation steps",
}


SOURCE_LINK = re.compile(r"\]\(\.\./quorate/([\w/]+?)(?:/(\w+)\.py)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the generated pages to the navigation, as its last section."""
    assert config.nav is not None
    reference: list[Any] = []
    for folder, title in (FOLDERS | PARTS).items():
        pages = [{name: f"methods/{folder}/{name}.md"} for name in registry.names(folder)]
        reference.append({title: [f"methods/{folder}/index.md", *pages]})
    nouns = [{noun: f"api/{noun}.md"} for noun in service_pages.by_noun()]
    reference.append({"HTTP API": ["api/index.md", *nouns]})
    commands = [{name: command_path(name)} for name in command_names()]
    reference.append({"Commands": ["commands/index.md", *commands]})
    config.nav.append({"Reference": reference})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to the files."""
    generated = {f"methods/{folder}/index.md": folder_page(folder) for folder in FOLDERS | PARTS}
    generated |= {
        f"methods/{folder}/{name}.md": part_page(folder, name) for folder in PARTS for name in registry.names(folder)
    }
    generated |= {
        f"methods/{folder}/{name}.md": method_page(folder, name)
        for folder in FOLDERS
        for name in registry.names(folder)
    }
    generated |= service_pages.api_pages()
    generated |= {"commands/index.md": commands_page()} | {
        command_path(name): command_page(name) for name in command_names()
    }
    for path, text in generated.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return a page whose links to source files lead to the pages generated from them.

    In the repository a link to a method leads to its file, whose docstring is its page.

    >>> on_page_markdown("[one_coin](../quorate/aggregation/one_coin.py), [all](../quorate/aggregation)")
    '[one_coin](methods/aggregation/one_coin.md), [all](methods/aggregation/index.md)'
    """
    return SOURCE_LINK.sub(_page_link, markdown)


def _page_link(link: re.Match[str]) -> str:
    folder, name = link[1].replace("/", "."), link[2] or "index"
    if folder == "service.api":
        return f"](api/{name}.md)"
    return f"](commands/{name}.md)" if folder == "cli.commands" else f"](methods/{folder}/{name}.md)"


def parts(folder: str, name: str) -> dict[str, str]:
    """Split a method's docstring into `what`, each of SECTIONS, and `example`."""
    text = inspect.getdoc(registry.method_class(folder, name)) or ""
    prose, arrow, example = text.partition(">>> ")
    prose, _ = split_options(prose)
    paragraphs = [" ".join(paragraph.split()) for paragraph in prose.split("\n\n")]
    texts = {"what": paragraphs[0]}
    for paragraph in paragraphs[1:]:
        title, _, rest = paragraph.partition(": ")
        if title in SECTIONS + OPTIONAL:
            texts[title] = rest
    if arrow:
        texts["example"] = arrow + example
    return texts


def split_options(prose: str) -> tuple[str, dict[str, str]]:
    r"""Split the blocks `Args:` and `Attributes:` off a docstring; return the rest and {option: description}.

    >>> split_options("Fit.\n\nArgs:\n    tol: smallest gain\n        worth a round.\n    seed: any number.")
    ('Fit.', {'tol': 'smallest gain worth a round.', 'seed': 'any number.'})
    """
    options: dict[str, str] = {}
    rest = []
    for paragraph in prose.split("\n\n"):
        title, _, block = paragraph.strip("\n").partition(":\n")
        if title not in OPTION_BLOCKS:
            rest.append(paragraph)
            continue
        for entry in re.split(r"\n {4}(?=\w)", "\n" + block)[1:]:
            option, _, description = entry.partition(":")
            options[option] = " ".join(description.split())
    return "\n\n".join(rest), options


def option_table(folder: str, name: str) -> list[str]:
    """Return the lines that describe a method's options: a table, and a list of what else the docstring describes."""
    _, described = split_options(inspect.getdoc(registry.method_class(folder, name)) or "")
    options = registry.options(folder, name)
    others = [f"- `{key}`: {text}" for key, text in described.items() if key not in options]
    rows = [f"| `{key}` | `{default}` |" for key, default in options.items()]
    head = ["| option | default |", "|---|---|"]
    if described.keys() & options.keys():
        rows = [f"{row} {_cell(described.get(key, ''))} |" for row, key in zip(rows, options, strict=True)]
        head = ["| option | default | meaning |", "|---|---|---|"]
    return [*([*others, ""] if others else []), *([*head, *rows, ""] if rows else [])]


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def import_line(method: type[Any]) -> str:
    """Return the line that imports a class: from the package that exports it, otherwise from its own file."""
    package = ".".join(method.__module__.split(".")[:2])
    exported = getattr(import_module(package), method.__name__, None) is method
    return f"from {package if exported else method.__module__} import {method.__name__}"


def method_page(folder: str, name: str) -> str:
    """Return the page of one method."""
    part = parts(folder, name)
    lines = [f"# {name}", "", part["what"], ""]
    for title in SECTIONS:
        lines += [f"**{title}:** {part[title]}", ""]
    lines += [part[title] + "\n" for title in OPTIONAL if title in part]
    lines += option_table(folder, name)
    method = registry.method_class(folder, name)
    lines += ["```pycon", f">>> {import_line(method)}", part["example"], "```"]
    if folder == "aggregation":
        lines += [
            "",
            f'Python: `quorate.aggregate(votes, "{name}")`. Command line: `quorate aggregate VOTES --method {name}`.',
        ]
    return "\n".join(lines)


def part_page(folder: str, name: str) -> str:
    """Return the page of a part of a network: its docstring, its options, and how to select it."""
    part = registry.method_class(folder, name)
    prose, arrow, example = (inspect.getdoc(part) or "").partition(">>> ")
    prose, _ = split_options(prose)
    lines = [f"# {name}", "", re.sub(r"^- ", r"\\- ", prose).strip(), ""]
    lines += option_table(folder, name)
    if arrow:
        lines += ["```pycon", f">>> {import_line(part)}", arrow + example, "```", ""]
    kind = registry.FOLDERS[folder]
    lines.append(f"Python: `{part.__module__}.{part.__name__}`. ")
    lines.append(f"Command line: `quorate train ITEMS VOTES --out MODEL --{kind} {name}`.")
    return "\n".join(lines)


def folder_page(folder: str) -> str:
    """Return the table of all methods of a folder."""
    what = {name: parts(folder, name)["what"].replace("|", r"\|") for name in registry.names(folder)}
    rows = [f"| [{name}]({name}.md) | {text} |" for name, text in what.items()]
    return "\n".join([f"# {(FOLDERS | PARTS)[folder]}", "", "| name | description |", "|---|---|", *rows])


def command_names() -> list[str]:
    """Return the names of all commands, those of groups with a space."""
    return [name for name, _ in _commands()]


def command_path(name: str) -> str:
    """Return the path of the page of a command."""
    return f"commands/{name.replace(' ', '_')}.md"


def command_page(name: str) -> str:
    """Return the page of one command: its help, as a table of options."""
    command = dict(_commands())[name]
    lines = [f"# quorate {name}", "", command.help or "", ""]
    arguments = " ".join(p.metavar or p.name for p in command.params if p.param_type_name == "argument")
    lines += ["```console", f"$ quorate {name} {arguments} [options]".replace("  ", " "), "```", ""]
    lines += ["| argument or option | what it does | default |", "|---|---|---|"]
    for parameter in command.params:
        no_default = parameter.required or parameter.default is None or parameter.default in ("", ())
        default = "" if no_default else f"`{_shown(parameter.default)}`"
        is_argument = parameter.param_type_name == "argument"
        shown = parameter.metavar or parameter.name if is_argument else ", ".join(parameter.opts)
        lines.append(f"| `{shown}` | {parameter.help or ''} | {default} |")
    examples = [f"$ {line}" for line in command.epilog.split("\n\n")[1:]]
    return "\n".join([*lines, "", "## Examples", "```console", *examples, "```"])


def commands_page() -> str:
    """Return the table of all commands."""
    summaries = [(name, command.help.partition("\n\n")[0]) for name, command in _commands()]
    rows = [f"| [quorate {name}](../{command_path(name)}) | {summary} |" for name, summary in summaries]
    errors = "On an error, a command prints one line to stderr that says what to do, and exits with code 2."
    errors += " Long commands show a progress bar."
    return "\n".join(["# Commands", "", errors, "", "| command | what it does |", "|---|---|", *rows])


def _commands() -> list[tuple[str, Any]]:
    from typer.main import get_command

    from quorate.cli.app import app

    commands: list[tuple[str, Any]] = []
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        if hasattr(command, "commands"):
            commands += [(f"{name} {inner}", sub) for inner, sub in command.commands.items()]
        else:
            commands.append((name, command))
    return commands


def _shown(default: Any) -> str:
    return str(getattr(default, "value", default))
