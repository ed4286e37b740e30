"""Projects: made, changed, moved from state to state, looked at."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from quorate.client.connection import Connection
from quorate.client.reports import Estimate, Models, Progress, read_estimate, read_models, read_progress
from quorate.client.responses import Effect, Event, Json, Overview, Project, ProjectBrief, read

State = Literal["pilot", "estimate", "running", "paused", "done"]


@dataclass(frozen=True)
class Projects:
    """The projects that one may see."""

    connection: Connection

    def create(self, settings: Mapping[str, Any]) -> Project:
        """A new project, as a draft."""
        return read(Project, self.connection.post("/api/projects", dict(settings)))

    def foretell(self, settings: Mapping[str, Any], *, items: int, accuracy: float) -> Json:
        """Votes, spend and errors by strategy, simulated before there is a project. accuracy: of the mean worker."""
        sent = {"settings": dict(settings), "items": items, "accuracy": accuracy}
        return dict(self.connection.post("/api/forecast", sent, repeatable=True)["strategies"])

    def list_all(self) -> list[ProjectBrief]:
        """All of them, newest first."""
        return [read(ProjectBrief, one) for one in self.connection.get("/api/projects")]

    def get(self, project: int) -> Project:
        """One of them, with its settings."""
        return read(Project, self.connection.get(f"/api/projects/{project}"))

    def preview(self, project: int, settings: Mapping[str, Any]) -> Effect:
        """What other settings would do to what is decided; nothing is changed."""
        path = f"/api/projects/{project}/settings/preview"
        return read(Effect, self.connection.post(path, dict(settings), repeatable=True))

    def change(self, project: int, settings: Mapping[str, Any]) -> Project:
        """Put other settings in force; what is decided is decided again."""
        return read(Project, self.connection.send("PUT", f"/api/projects/{project}/settings", json=dict(settings)))

    def set_state(self, project: int, state: State) -> ProjectBrief:
        """Start a pilot or the run, pause, go on, or end."""
        said = self.connection.post(f"/api/projects/{project}/state", {"state": state}, repeatable=True)
        return read(ProjectBrief, said)

    def overview(self, project: int) -> Overview:
        """What is decided and by whom, what was spent, what is promised."""
        return read(Overview, self.connection.get(f"/api/projects/{project}/overview"))

    def progress(self, project: int) -> Progress:
        """How it has come along, what it will cost, and how far its labels can be trusted."""
        return read_progress(self.connection.get(f"/api/projects/{project}/progress"))

    def models(self, project: int, *, question: str | None = None) -> Models:
        """The models of a question, or of the first: how they grew, and how far they can be trusted."""
        return read_models(self.connection.get(f"/api/projects/{project}/models", {"question": question}))

    def estimate(self, project: int) -> Estimate:
        """What the rest will cost by each strategy; refused (409) until a pilot has ended."""
        return read_estimate(self.connection.get(f"/api/projects/{project}/estimate"))

    def events(self, project: int, *, before: int | None = None) -> list[Event]:
        """The audit log, newest first, a hundred at a time; before: older than this entry."""
        said = self.connection.get(f"/api/projects/{project}/events", {"before": before})
        return [read(Event, one) for one in said]
