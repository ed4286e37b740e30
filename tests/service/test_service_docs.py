"""Nothing of the service is undocumented, and what its pages show works when it is pasted."""

import re
from pathlib import Path

import pytest

import quorate
from quorate.cli.command_list import GROUPS
from quorate.client import Client
from quorate.service.accounts.accounts import first_owner_link
from quorate.service.app import create_app, routes
from quorate.service.config import PREFIX, SETTINGS_FILE, Settings
from quorate.service.routes.http.openapi import operations
from quorate.service.secret_key import VARIABLE
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate
from quorate.service.webhooks.sender import Sender
from tests.service.serving import SECRET, served
from tests.test_docs import pages

DOCS = Path(__file__).parents[2] / "docs"
IN_ORDER = ("service", "projects", "inviting_workers", "webhooks")  # the first makes what the others use
ADDRESS = "http://127.0.0.1:8000"


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text()


@pytest.mark.parametrize(
    "name", [*(f"{PREFIX}{name.upper()}" for name in Settings.model_fields), VARIABLE, SETTINGS_FILE]
)
def test_a_setting_is_documented(name: str) -> None:
    assert f"`{name}`" in page("operations")


def test_every_setting_that_a_page_names_is_there() -> None:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | {VARIABLE, SETTINGS_FILE, "QUORATE_TOKEN"}
    for name in (*IN_ORDER, "operations"):
        assert set(re.findall(r"QUORATE_[A-Z_]+", page(name))) <= known


@pytest.mark.parametrize("name", GROUPS["Service"])
def test_a_command_is_told_of(name: str) -> None:
    assert f"quorate {name}" in page("operations")
    assert f"quorate {name}" in pages.commands_page()


@pytest.mark.parametrize(("method", "path"), [one[:2] for one in operations(routes().openapi())])
def test_an_operation_has_its_place(method: str, path: str) -> None:
    made = pages.service_pages.api_pages()
    index = made.pop("api/index.md")
    assert f"`{method} {path}`" in index
    assert sum(f"\n`{method} {path}`\n" in text for text in made.values()) == 1


def test_a_setting_of_projects_has_its_row() -> None:
    table = pages.on_page_markdown(page("projects"))
    rows = re.findall(r"^\| `([\w.]+)` \| .+ \| .+ \|$", table, re.M)
    assert set(rows) == set(pages.service_pages.WORDS)
    assert {"questions", "costs.error", "workers.gold_share", "door.completion_url"} <= set(rows)


def test_files_are_shown_as_they_are() -> None:
    shown = page("service")
    for path in (DOCS.parent / "deploy").iterdir():
        assert path.read_text().rstrip() in shown


def test_what_pages_show_can_be_pasted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of all pages, one after the other, on a service of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Sender, "start", lambda self: None)  # to example.com goes nothing
    store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}")
    migrate(store)
    with store.write() as connection:
        link = first_owner_link(connection, ADDRESS, store.clock())
    assert link is not None
    names: dict[str, object] = {}
    opened: list[Client] = []

    def client(url: str, token: str | None = None) -> Client:
        opened.append(Client(url, token))
        return opened[-1]

    monkeypatch.setattr(quorate, "Client", client)
    with served(create_app(store, Settings(data_folder=tmp_path), SECRET)) as url:
        for name in IN_ORDER:
            for block in re.findall(r"^```python\n(.*?)^```$", page(name), re.M | re.S):
                pasted = block.replace("#ql_...", "#" + link.partition("#")[2]).replace(ADDRESS, url)
                exec(compile(pasted, f"docs/{name}.md", "exec"), names)
                monkeypatch.setenv("QUORATE_TOKEN", str(names.get("token", "")))
        for one in opened:
            one.close()
    store.close()
