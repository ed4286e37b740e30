"""The door of a project: how a panel sends people here, and what they are due."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from quorate.client.connection import Connection
from quorate.client.exports import save_stream
from quorate.client.responses import read


@dataclass(frozen=True, kw_only=True)
class Door:
    """Where people come in, and by which parameters. key: signs their numbers, and is as secret as a password."""

    entry: str
    worker_parameter: str
    session_parameter: str
    signature_parameter: str
    signed: bool
    key: str


@dataclass(frozen=True)
class Doors:
    """Entry from panels."""

    connection: Connection

    def show(self, project: int) -> Door:
        """What to tell a panel."""
        return read(Door, self.connection.get(f"/api/projects/{project}/door"))

    def links(self, project: int, workers: Sequence[str]) -> dict[str, str]:
        """Signed entry addresses by the panel's numbers of its workers: for a panel that cannot sign."""
        sent = {"workers": list(workers)}
        return dict(self.connection.post(f"/api/projects/{project}/door/links", sent, repeatable=True))

    def save_pay(self, project: int, path: Path | str, *, ids: Literal["code", "external"] = "code") -> None:
        """Write what each worker is due as CSV: by our codes, or by the platform's numbers, which is logged."""
        save_stream(self.connection, f"/api/projects/{project}/pay.csv?ids={ids}", Path(path))
