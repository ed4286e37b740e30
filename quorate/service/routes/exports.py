"""What goes out: items, votes, workers, payments and decisions, streamed in any format."""

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
What = Annotated[str, Path(description="items, votes, workers, payments or decisions", examples=["items"])]
Form = Annotated[
    str,
    Path(description="csv, jsonl or parquet; of items also json (Label Studio) and manifest (Ground Truth)"),
]
Amended = Annotated[bool, Query(description="Of votes: also those that were replaced by a later one.")]


@router.get(
    "/{what}.{form}",
    response_class=StreamingResponse,
    responses={200: {"content": {kind.split(";")[0]: {"schema": SCHEMAS[form]} for form, kind in TYPES.items()}}},
)
def download(
    project_id: ProjectId, what: What, form: Form, caller: Caller, store: StoreOf, amended: Amended = False
) -> StreamingResponse:
    """All of it, as of the moment the download begins."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
    parts = export(store, project_id, what, form, amended=amended)
    first = next(parts, b"")  # what is wrong is told before anything is sent
    headers = {
        "Content-Disposition": f'attachment; filename="project-{project_id}-{what}.{form}"',
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    return StreamingResponse(_sent(first, parts), media_type=TYPES[form], headers=headers)


async def _sent(first: bytes, parts: Generator[bytes]) -> AsyncIterator[bytes]:
    """The parts, read in a thread; whoever goes away early ends the reading too."""
    try:
        yield first
        async for part in iterate_in_threadpool(parts):
            yield part
    finally:
        await run_in_threadpool(parts.close)
