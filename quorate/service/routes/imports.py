"""Files into the pool: send one, and see how far it has come."""

import asyncio
from concurrent.futures import Future
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from quorate.service.accounts.permissions import may_manage, may_read
from quorate.service.errors import Invalid
from quorate.service.imports import jobs as imports
from quorate.service.imports.columns import Columns
from quorate.service.imports.formats import UPLOAD_READERS, format_of
from quorate.service.imports.thread import Importer
from quorate.service.projects import projects
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import Id, ProjectId, StoreOf
from quorate.service.routes.multipart import Upload, receive
from quorate.service.store.database import Record, Store

router = APIRouter(prefix="/api/projects/{project_id}/imports", tags=["imports"], responses=PROBLEMS)
PATIENCE = 30.0  # seconds that `wait` waits at most

ColumnName = Annotated[str, Field(min_length=1, max_length=200)]


class ColumnsIn(BaseModel):
    """Which column holds what; those that are left out are guessed, gold never is."""

    model_config = ConfigDict(extra="forbid")

    key: ColumnName | None = None
    text: ColumnName | None = None
    text_a: ColumnName | None = None
    text_b: ColumnName | None = None
    image: ColumnName | None = None
    audio: ColumnName | None = None
    html: ColumnName | None = None
    span: ColumnName | None = None
    features: tuple[ColumnName, ...] | None = None
    gold: dict[ColumnName, ColumnName] = Field(default={}, description="The column of known labels, by question.")


class RowProblem(BaseModel):
    """What is wrong with a row; rows are counted from 1."""

    row: int
    error: str


class ImportOut(BaseModel):
    """How far an import has come. repeated: rows whose item was there already. errors: of the first 100 bad rows."""

    id: int
    name: str
    format: str
    state: Literal["reading", "done", "failed"]
    rows: int
    added: int
    repeated: int
    bad: int
    errors: list[RowProblem]
    message: str | None
    created_at: float
    finished_at: float | None


FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "format": {"type": "string", "enum": list(UPLOAD_READERS)},
                        "columns": {"type": "string", "description": 'As JSON, such as {"text": "body"}'},
                    },
                }
            }
        },
    }
}


# The body is read only after the sender was found to be allowed: so this handler waits for it by itself, and does not
# let FastAPI parse the form, which would come first.
@router.post("", status_code=202, openapi_extra=FORM)
async def start(
    project_id: ProjectId,
    caller: Caller,
    request: Request,
    store: StoreOf,
    wait: Annotated[bool, Query(description="Answer when it is read, or after 30 seconds.")] = False,
) -> ImportOut:
    """Send a file of items. It is read in the background; what was sent before is not added again."""
    await run_in_threadpool(_check_allowed, store, caller, project_id)
    importer: Importer = request.app.state.importer
    upload = await receive(request, importer.uploads())
    try:
        import_id, reading = await run_in_threadpool(_begin, store, importer, upload, project_id, caller.actor)
    finally:
        upload.path.unlink(missing_ok=True)
    if wait:
        await asyncio.wait([asyncio.wrap_future(reading)], timeout=PATIENCE)
    return await run_in_threadpool(_progress, store, project_id, import_id)


@router.get("")
def list_imports(project_id: ProjectId, caller: Caller, store: StoreOf) -> list[ImportOut]:
    """The latest hundred imports, newest first."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        projects.get(connection, project_id)
        return [_shown(row) for row in imports.newest(connection, project_id)]


@router.get("/{import_id}")
def show(project_id: ProjectId, import_id: Id, caller: Caller, store: StoreOf) -> ImportOut:
    """How far an import has come."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
    return _progress(store, project_id, import_id)


def _check_allowed(store: Store, caller: Caller, project_id: int) -> None:
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        projects.get(connection, project_id)


def _begin(store: Store, importer: Importer, upload: Upload, project_id: int, actor: str) -> tuple[int, "Future[None]"]:
    kind = chosen_format(upload)
    columns = _columns(upload.fields.get("columns") or "{}")
    with store.write() as connection:
        name = upload.name.replace("\0", "") or f"items.{kind}"
        import_id = imports.begin(connection, project_id, name, kind, columns, actor, store.clock())
    return import_id, importer.start(import_id, upload.path)


def chosen_format(upload: Upload) -> str:
    """The format that the sender named, or that the file's name suggests."""
    kind = upload.fields.get("format") or format_of(upload.name)
    if kind not in UPLOAD_READERS:
        raise Invalid(f"there is no format {kind!r} to upload: name one of {', '.join(UPLOAD_READERS)}")
    return kind


def _columns(given: str) -> Columns:
    try:
        return Columns(**ColumnsIn.model_validate_json(given).model_dump())
    except ValidationError as error:
        raise Invalid(f"columns: {projects.describe_errors(error)}") from None


def _progress(store: Store, project_id: int, import_id: int) -> ImportOut:
    with store.read() as connection:
        return _shown(imports.get(connection, project_id, import_id))


def _shown(row: Record) -> ImportOut:
    kept: dict[str, Any] = {name: getattr(row, name) for name in ImportOut.model_fields}
    return ImportOut(**kept)
