"""Downloads of items, votes, workers, payments and decisions, streamed in several formats."""

from collections.abc import AsyncIterator, Generator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.concurrency import iterate_in_threadpool, run_in_threadpool
from fastapi.responses import StreamingResponse

from quorate.service.accounts.permissions import may_read
from quorate.service.exports.export import export
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import ProjectId, StoreOf

router = APIRouter(prefix="/api/projects/{project_id}/exports", tags=["exports"], responses=PROBLEMS)

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "manifest": "application/x-ndjson",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "csv": {"type": "string"},
    "jsonl": {"type": "string"},
    "manifest": {"type": "string"},
    "json": {"type": "array", "items": {"type": "object", "additionalProperties": True}},
    "parquet": {"type": "string", "format": "binary"},
}
Table = Annotated[str, Path(description="items, votes, workers, payments or decisions", examples=["items"])]
Format = Annotated[
    str,
    Path(description="csv, jsonl or parquet; for items also json (Label Studio) and manifest (Ground Truth)"),
]
Amended = Annotated[bool, Query(description="Include votes that were replaced by a later one.")]


@router.get(
    "/{what}.{form}",
    response_class=StreamingResponse,
    responses={200: {"content": {kind.split(";")[0]: {"schema": SCHEMAS[form]} for form, kind in TYPES.items()}}},
)
def download(
    project_id: ProjectId, what: Table, form: Format, caller: Caller, store: StoreOf, amended: Amended = False
) -> StreamingResponse:
    """Download a table as it is when the download begins."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
    parts = export(store, project_id, what, form, amended=amended)
    first = next(parts, b"")  # errors are raised here, before anything is sent
    headers = {
        "Content-Disposition": f'attachment; filename="project-{project_id}-{what}.{form}"',
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return StreamingResponse(_stream(first, parts), media_type=TYPES[form], headers=headers)


async def _stream(first: bytes, parts: Generator[bytes]) -> AsyncIterator[bytes]:
    """Yield the parts, read in a thread; close the reader if the client disconnects."""
    try:
        yield first
        async for part in iterate_in_threadpool(parts):
            yield part
    finally:
        await run_in_threadpool(parts.close)
