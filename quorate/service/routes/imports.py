"""Imports of files with items, and their progress."""

import asyncio
from concurrent.futures import Future
from typing import Annotated, Literal

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
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.multipart import Upload, receive
from quorate.service.routes.http.params import Id, ProjectId, StoreOf
from quorate.service.store.database import Record, Store

router = APIRouter(prefix="/api/projects/{project_id}/imports", tags=["imports"], responses=PROBLEMS)
MAX_WAIT = 30.0  # seconds

ColumnName = Annotated[str, Field(min_length=1, max_length=200)]


class ColumnsIn(BaseModel):
    """Names of columns. Those that are left out are guessed, except for gold labels."""

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
    gold: dict[ColumnName, ColumnName] = Field(default={}, description="Columns of gold labels, by question.")


class RowErrorOut(BaseModel):
    """Error in a row; rows are counted from 1."""

    row: int
    error: str


class ImportOut(BaseModel):
    """Progress of an import. repeated: rows whose item existed already. errors: of the first 100 bad rows."""

    id: int
    name: str
    format: str
    state: Literal["reading", "done", "failed"]
    rows: int
    added: int
    repeated: int
    bad: int
    errors: list[RowErrorOut]
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


# FastAPI would parse the form before the handler is called: the handler reads it itself, after it has checked that the
# caller may import.
@router.post("", status_code=202, openapi_extra=FORM)
async def start(
    project_id: ProjectId,
    caller: Caller,
    request: Request,
    store: StoreOf,
    wait: Annotated[bool, Query(description="Respond when the file is imported, or after 30 seconds.")] = False,
) -> ImportOut:
    """Import a file of items in the background; items that exist already are not added again."""
    await run_in_threadpool(_check_allowed, store, caller, project_id)
    importer: Importer = request.app.state.importer
    upload = await receive(request, importer.uploads())
    try:
        import_id, reading = await run_in_threadpool(_begin, store, importer, upload, project_id, caller.actor)
    finally:
        upload.path.unlink(missing_ok=True)
    if wait:
        await asyncio.wait([asyncio.wrap_future(reading)], timeout=MAX_WAIT)
    return await run_in_threadpool(_progress, store, project_id, import_id)


@router.get("")
def list_imports(project_id: ProjectId, caller: Caller, store: StoreOf) -> list[ImportOut]:
    """List the latest hundred imports, newest first."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        projects.get(connection, project_id)
        return [_to_import(row) for row in imports.newest(connection, project_id)]


@router.get("/{import_id}")
def show(project_id: ProjectId, import_id: Id, caller: Caller, store: StoreOf) -> ImportOut:
    """Return the progress of an import."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
    return _progress(store, project_id, import_id)


def _check_allowed(store: Store, caller: Caller, project_id: int) -> None:
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        projects.get(connection, project_id)


def _begin(store: Store, importer: Importer, upload: Upload, project_id: int, actor: str) -> tuple[int, "Future[None]"]:
    kind = chosen_format(upload)
    columns = _parse_columns(upload.fields.get("columns") or "{}")
    with store.write() as connection:
        name = upload.name.replace("\0", "") or f"items.{kind}"
        import_id = imports.begin(connection, project_id, name, kind, columns, actor, store.clock())
    return import_id, importer.start(import_id, upload.path)


def chosen_format(upload: Upload) -> str:
    """Return the format that the client named, or that the name of the file suggests."""
    kind = upload.fields.get("format") or format_of(upload.name)
    if kind not in UPLOAD_READERS:
        raise Invalid(f"there is no format {kind!r} to upload: name one of {', '.join(UPLOAD_READERS)}")
    return kind


def _parse_columns(text: str) -> Columns:
    try:
        return Columns(**ColumnsIn.model_validate_json(text).model_dump())
    except ValidationError as error:
        fields = {f"columns.{path}": message for path, message in projects.field_errors(error.errors()).items()}
        raise Invalid(f"columns: {projects.describe_errors(error)}", fields) from None


def _progress(store: Store, project_id: int, import_id: int) -> ImportOut:
    with store.read() as connection:
        return _to_import(imports.get(connection, project_id, import_id))


def _to_import(row: Record) -> ImportOut:
    return ImportOut.model_validate(row, from_attributes=True)
