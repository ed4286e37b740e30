"""Page that lists the operations of the API, without files from elsewhere."""

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


@router.get("/api", response_class=HTMLResponse)
def home(request: Request) -> HTMLResponse:
    """List the operations of the API by tag."""
    return HTMLResponse(_page(request.app.openapi()), headers={"Content-Security-Policy": POLICY})


def _page(schema: dict[str, Any]) -> str:
    by_tag: dict[str, list[str]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            for tag in operation.get("tags", ["other"])[:1]:
                by_tag.setdefault(tag, []).append(_line(method, path, operation))
    lists = "".join(f"<h2>{escape(tag)}</h2><ul>{''.join(lines)}</ul>" for tag, lines in by_tag.items())
    introduction = (
        "<p>Operations of the API; <a href='/openapi.json'>openapi.json</a> describes them in full, "
        "and <a href='/readyz'>readyz</a> shows whether the service is ready.</p>"
    )
    return framed(f"Quorate {escape(schema['info']['version'])}", introduction + lists)


def framed(title: str, body: str) -> str:
    """Return an HTML page without scripts."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style><h1>{title}</h1>{body}</html>"
    )


def _line(method: str, path: str, operation: dict[str, Any]) -> str:
    summary = operation.get("description", operation.get("summary", "")).split("\n")[0]
    return f"<li><b>{escape(method.upper())}</b><code>{escape(path)}</code><span>{escape(summary)}</span></li>"
