"""Before there is a project: a first look at a file, and what a project would cost. Nothing of it is stored."""

import threading
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from quorate.service.accounts.permissions import may_create_projects
from quorate.service.forecasts.design import forecast_design
from quorate.service.imports.inspect_file import inspect_file
from quorate.service.projects.projects import parse_settings
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.imports import FORM, chosen_format
from quorate.service.routes.multipart import receive
from quorate.service.routes.params import Body

router = APIRouter(prefix="/api", tags=["projects"], responses=PROBLEMS)
MOST_ITEMS = 1_000_000_000
_one_at_a_time = threading.Lock()  # simulations: several at once would keep voters waiting


class ColumnSeen(BaseModel):
    """What a column seems to hold. values: the most frequent first; none where there are too many."""

    name: str
    examples: list[str]
    distinct: int
    values: list[str] | None
    numbers: bool


class FileSeen(BaseModel):
    """A file at first sight: its columns as an import would guess them, and those that seem to hold labels."""

    format: str
    kind: str
    columns: dict[str, str | None]
    header: list[ColumnSeen]
    rows: list[dict[str, Any]]
    labels: list[str]


class Idea(Body):
    """Settings of a project to be, how many items it will have, and how often the mean worker is right."""

    settings: Annotated[dict[str, Any], Field(examples=[{"name": "Pets", "questions": [{"classes": ["cat", "dog"]}]}])]
    items: Annotated[int, Field(ge=1, le=MOST_ITEMS, examples=[1000])]
    accuracy: Annotated[float, Field(gt=0, le=1, examples=[0.8])]


class BandOut(BaseModel):
    """A number to expect, and the ends between which four of five simulated runs lie."""

    value: float
    low: float
    high: float


class StrategyForetold(BaseModel):
    """What a way to decide takes in all: votes, money, and labels that are wrong in the end."""

    votes: BandOut
    spend: BandOut
    errors: BandOut


class Foretold(BaseModel):
    """By strategy: engine (the project's own policy), crowd_only, fixed_3, fixed_5.

    warnings: what of the settings is allowed but unlikely to be meant.
    """

    items: int
    strategies: dict[str, StrategyForetold]
    warnings: list[str] = []


@router.post("/look", openapi_extra=FORM)
async def look_into(caller: Caller, request: Request) -> FileSeen:
    """Look into a file before a project is made for it; of a table the first megabyte is enough."""
    may_create_projects(caller)
    upload = await receive(request, request.app.state.importer.uploads())
    try:
        seen = await run_in_threadpool(inspect_file, upload.path, chosen_format(upload))
    finally:
        upload.path.unlink(missing_ok=True)
    return FileSeen.model_validate(seen, from_attributes=True)


@router.post("/forecast")
def forecast(idea: Idea, caller: Caller) -> Foretold:
    """What a project would cost, by simulation with a crowd that is made up, before anything is spent."""
    may_create_projects(caller)
    settings = parse_settings(idea.settings)
    with _one_at_a_time:
        strategies: Any = forecast_design(settings, idea.items, idea.accuracy)
    return Foretold(items=idea.items, strategies=strategies, warnings=settings.warnings)
