"""How refusals look over HTTP: one line in `error`, the same for all. The only place that knows statuses."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from quorate.errors import QuorateError
from quorate.service.errors import ServiceError, TooMany

_logger = logging.getLogger(__name__)


class Problem(BaseModel):
    """Why a request was refused, and what to do."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"error": "there is no project 7"}]})

    error: str


PROBLEMS: dict[int | str, dict[str, object]] = {
    status: {"model": Problem, "description": told}
    for status, told in {
        401: "Nobody is signed in.",
        403: "It is not allowed.",
        404: "There is no such thing.",
        409: "It does not fit the state that things are in.",
        413: "More than is taken at once.",
        422: "It was understood, but makes no sense.",
        429: "Too often: wait as long as Retry-After says.",
        503: "The database is busy: try again.",
    }.items()
}


def add_error_handlers(app: FastAPI) -> None:
    """Turn what use cases raise into answers."""
    app.add_exception_handler(ServiceError, _refused)
    app.add_exception_handler(QuorateError, _refused)
    app.add_exception_handler(RequestValidationError, _misread)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(OperationalError, _busy)


def _refused(_: Request, error: Exception) -> JSONResponse:
    status = error.status if isinstance(error, ServiceError) else 422
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooMany) else None
    return JSONResponse({"error": str(error)}, status, headers)


def _misread(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    said = "; ".join(f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors()[:5])
    return JSONResponse({"error": said}, 422)


def _busy(_: Request, error: Exception) -> JSONResponse:
    """The database cannot be reached, or has been busy for long; nothing of the request has happened."""
    _logger.warning("the database did not answer: %s", error)
    return JSONResponse({"error": "the database is busy: try again in a moment"}, 503, {"Retry-After": "1"})


def _plain(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)
