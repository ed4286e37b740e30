"""Entry of workers from a panel, and their pay."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from quorate.client.connection import Connection
from quorate.client.exports import save_stream
from quorate.client.responses import read


@dataclass(frozen=True, kw_only=True)
class PanelEntry:
    """Entry address for workers of a panel, and its parameters. key: signs their ids; keep it secret."""

    entry: str
    worker_parameter: str
    session_parameter: str
    signature_parameter: str
    signed: bool
    key: str


@dataclass(frozen=True)
class Panels:
    """Entries from panels."""

    connection: Connection

    def show(self, project: int) -> PanelEntry:
        """Return the entry address and parameters to configure a panel with."""
        return read(PanelEntry, self.connection.get(f"/api/projects/{project}/door"))

    def links(self, project: int, workers: Sequence[str]) -> dict[str, str]:
        """Return signed entry addresses by worker id, for a panel that cannot sign."""
        body = {"workers": list(workers)}
        return dict(self.connection.post(f"/api/projects/{project}/door/links", body, repeatable=True))

    def save_pay(self, project: int, path: Path | str, *, ids: Literal["code", "external"] = "code") -> None:
        """Write the pay due to each worker to a CSV file.

        Args:
            project: number of the project.
            path: file to write.
            ids: "code" identifies workers by the codes of the service, "external" by the ids of the panel, which is
                logged.
        """
        save_stream(self.connection, f"/api/projects/{project}/pay.csv?ids={ids}", Path(path))
