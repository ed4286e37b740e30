"""The first page: that the service runs, and all that its API offers, readable without anything from elsewhere."""

from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #777; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.8rem 0 .3rem; }
li { display: flex; flex-wrap: wrap; gap: 0 .8rem; padding: .3rem 0; border-top: 1px solid var(--line); }
ul { list-style: none; padding: 0; margin: 0; } code { font: .85rem ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid var(--line); border-radius: .4rem; }
b { font: 600 .75rem/1.9 ui-monospace, monospace; min-width: 4rem; } span { color: var(--soft); flex-basis: 100%; }
"""


@router.get("/", response_class=HTMLResponse)
def home(request: Request) -> HTMLResponse:
    """What runs here, and the operations of its API by tag."""
    return HTMLResponse(_page(request.app.openapi()), headers={"Content-Security-Policy": POLICY})


@router.get("/join", response_class=HTMLResponse)
def join(request: Request) -> HTMLResponse:
    """What to do with a link that makes an account; the part behind # never reaches us."""
    address = escape(str(request.base_url))
    lines = (
        "from quorate import Client",
        f"client = Client('{address}')",
        "client.session.join('THE WHOLE ADDRESS OF THIS PAGE', 'a long password', name='you@example.org')",
        "print(client.tokens.create('my laptop', ['read', 'vote', 'manage', 'classify']))",
    )
    said = "<p>This link works once. Set your name and password by it, in Python:</p>"
    text = f"{said}<pre>{escape(chr(10).join(lines))}</pre>"
    return HTMLResponse(_framed("Join", text), headers={"Content-Security-Policy": POLICY})


def _page(told: dict[str, Any]) -> str:
    by_tag: dict[str, list[str]] = {}
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            for tag in operation.get("tags", ["other"])[:1]:
                by_tag.setdefault(tag, []).append(_line(method, path, operation))
    lists = "".join(f"<h2>{escape(tag)}</h2><ul>{''.join(lines)}</ul>" for tag, lines in by_tag.items())
    said = (
        "<p>The service runs. This is what its API offers; <a href='/openapi.json'>openapi.json</a> has every detail, "
        "and <a href='/readyz'>readyz</a> tells whether all is well.</p>"
    )
    return _framed(f"Quorate {escape(told['info']['version'])}", said + lists)


def _framed(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style><h1>{title}</h1>{body}</html>"
    )


def _line(method: str, path: str, operation: dict[str, Any]) -> str:
    said = operation.get("description", operation.get("summary", "")).split("\n")[0]
    return f"<li><b>{escape(method.upper())}</b><code>{escape(path)}</code><span>{escape(said)}</span></li>"
