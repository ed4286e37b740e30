"""Planning of a project: preview of a file, and forecast of the costs. Nothing is stored."""

import threading
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from quorate.service.accounts.permissions import may_create_projects
from quorate.service.forecasts.design import forecast_design
from quorate.service.imports.inspect_file import inspect_file
from quorate.service.projects.projects import parse_settings
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.multipart import receive
from quorate.service.routes.http.params import Body
from quorate.service.routes.imports import FORM, chosen_format
from quorate.service.schemas import BandOut, ItemKind

router = APIRouter(prefix="/api", tags=["projects"], responses=PROBLEMS)
MAX_ITEMS = 1_000_000_000
_simulation = threading.Lock()  # several simulations at once would delay the requests of voters


class ColumnPreview(BaseModel):
    """Content of a column, as far as it was read. values: most frequent first; null if there are too many."""

    name: str
    examples: list[str]
    distinct: int
    values: list[str] | None
    numbers: bool


class FilePreview(BaseModel):
    """Preview of a file. columns: as an import would guess them. labels: columns that seem to contain labels."""

    format: str
    kind: ItemKind
    columns: dict[str, str | None]
    header: list[ColumnPreview]
    rows: list[dict[str, Any]]
    labels: list[str]


class ForecastRequest(Body):
    """Settings of a planned project, its number of items, and the mean accuracy of its workers."""

    settings: Annotated[dict[str, Any], Field(examples=[{"name": "Pets", "questions": [{"classes": ["cat", "dog"]}]}])]
    items: Annotated[int, Field(ge=1, le=MAX_ITEMS, examples=[1000])]
    accuracy: Annotated[float, Field(gt=0, le=1, examples=[0.8])]


class StrategyForecast(BaseModel):
    """Forecast of a strategy: total votes, total spend, and number of wrong labels."""

    votes: BandOut
    spend: BandOut
    errors: BandOut


class CostForecast(BaseModel):
    """Forecast by strategy: engine (the policy of the project), crowd_only, fixed_3, fixed_5.

    warnings: settings that are allowed but unlikely to be intended.
    """

    items: int
    strategies: dict[str, StrategyForecast]
    warnings: list[str]


@router.post("/look", openapi_extra=FORM)
async def preview_file(caller: Caller, request: Request) -> FilePreview:
    """Preview a file before a project is created for it; the first megabyte of a table is enough."""
    may_create_projects(caller)
    upload = await receive(request, request.app.state.importer.uploads())
    try:
        preview = await run_in_threadpool(inspect_file, upload.path, chosen_format(upload))
    finally:
        upload.path.unlink(missing_ok=True)
    return FilePreview.model_validate(preview, from_attributes=True)


@router.post("/forecast")
def forecast(plan: ForecastRequest, caller: Caller) -> CostForecast:
    """Forecast the costs of a project by simulation with a synthetic crowd."""
    may_create_projects(caller)
    settings = parse_settings(plan.settings)
    with _simulation:
        strategies: Any = forecast_design(settings, plan.items, plan.accuracy)
    return CostForecast(items=plan.items, strategies=strategies, warnings=settings.warnings)
