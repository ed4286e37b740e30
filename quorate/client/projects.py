"""Projects: creation, settings, state and reports."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from quorate.client.connection import Connection
from quorate.client.reports import Estimate, Models, Progress, read_estimate, read_models, read_progress
from quorate.client.responses import Effect, Event, Json, Overview, Project, ProjectBrief, ProjectListed, read
from quorate.registry.deprecation import warn_renamed

State = Literal["pilot", "estimate", "running", "paused", "done"]


@dataclass(frozen=True)
class Projects:
    """Projects that the user may see."""

    connection: Connection

    def create(self, settings: Mapping[str, Any]) -> Project:
        """Create a project in the state draft."""
        return read(Project, self.connection.post("/api/projects", dict(settings)))

    def forecast(self, settings: Mapping[str, Any], *, items: int, accuracy: float) -> Json:
        """Forecast votes, spending and errors by strategy before a project exists, by simulation.

        Args:
            settings: settings of the project.
            items: number of items.
            accuracy: mean accuracy of the workers.
        """
        body = {"settings": dict(settings), "items": items, "accuracy": accuracy}
        return dict(self.connection.post("/api/forecast", body, repeatable=True)["strategies"])

    def foretell(self, settings: Mapping[str, Any], *, items: int, accuracy: float) -> Json:
        """Return `forecast`: the former name, which will be removed."""
        warn_renamed("the method 'foretell'", "forecast", since="0.2")
        return self.forecast(settings, items=items, accuracy=accuracy)

    def list_all(self) -> list[ProjectListed]:
        """List all projects, newest first."""
        return [read(ProjectListed, row) for row in self.connection.get("/api/projects")]

    def get(self, project: int) -> Project:
        """Return a project with its settings."""
        return read(Project, self.connection.get(f"/api/projects/{project}"))

    def preview(self, project: int, settings: Mapping[str, Any]) -> Effect:
        """Return the effect of other settings on the decisions, without changing anything."""
        path = f"/api/projects/{project}/settings/preview"
        return read(Effect, self.connection.post(path, dict(settings), repeatable=True))

    def change(self, project: int, settings: Mapping[str, Any]) -> Project:
        """Change the settings; decisions are made again with them."""
        return read(Project, self.connection.send("PUT", f"/api/projects/{project}/settings", json=dict(settings)))

    def set_state(self, project: int, state: State) -> ProjectBrief:
        """Start the pilot or the run, pause, resume, or end a project."""
        response = self.connection.post(f"/api/projects/{project}/state", {"state": state}, repeatable=True)
        return read(ProjectBrief, response)

    def overview(self, project: int) -> Overview:
        """Return the numbers of decisions and votes, and the money spent and committed."""
        return read(Overview, self.connection.get(f"/api/projects/{project}/overview"))

    def progress(self, project: int) -> Progress:
        """Return the progress so far, the forecast of the cost, and the certificate of the labels."""
        return read_progress(self.connection.get(f"/api/projects/{project}/progress"))

    def models(self, project: int, *, question: str | None = None) -> Models:
        """Return the models of a question (by default the first): their versions and their reliability."""
        return read_models(self.connection.get(f"/api/projects/{project}/models", {"question": question}))

    def estimate(self, project: int) -> Estimate:
        """Return the cost of the remaining items by strategy; an error (409) until a pilot has ended."""
        return read_estimate(self.connection.get(f"/api/projects/{project}/estimate"))

    def events(self, project: int, *, before: int | None = None) -> list[Event]:
        """Return up to a hundred entries of the audit log, newest first; before: only older ones than this entry."""
        rows = self.connection.get(f"/api/projects/{project}/events", {"before": before})
        return [read(Event, row) for row in rows]
