"""Projects: made, changed, moved from state to state, looked at."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from quorate.client.answers import Json, Overview, Project, read
from quorate.client.connection import Connection

State = Literal["pilot", "estimate", "running", "paused", "done"]


@dataclass(frozen=True)
class Projects:
    """The projects that one may see."""

    connection: Connection

    def create(self, settings: Mapping[str, Any]) -> Project:
        """A new project, as a draft."""
        return read(Project, self.connection.post("/api/projects", dict(settings)))

    def list_all(self) -> list[Project]:
        """All of them."""
        said = self.connection.get("/api/projects")
        return [read(Project, one) for one in said["projects"]]

    def get(self, project: int) -> Project:
        """One of them."""
        return read(Project, self.connection.get(f"/api/projects/{project}"))

    def set_state(self, project: int, state: State) -> Project:
        """Start the pilot, run, pause, end."""
        return read(Project, self.connection.post(f"/api/projects/{project}/state", {"state": state}))

    def overview(self, project: int) -> Overview:
        """How it stands."""
        return read(Overview, self.connection.get(f"/api/projects/{project}/overview"))

    def events(self, project: int, *, before: int | None = None, limit: int = 100) -> list[Json]:
        """What happened, newest first."""
        said = self.connection.get(f"/api/projects/{project}/events", {"before": before, "limit": limit})
        return list(said["events"])
