"""HTTP responses to errors: one line in `error`, and the messages of single fields."""

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import DataError, IntegrityError, OperationalError
from starlette.exceptions import HTTPException

from quorate.errors import QuorateError
from quorate.service.errors import Invalid, ServiceError, TooMany
from quorate.service.projects.projects import field_errors

NOT_AN_OBJECT = ("model_attributes_type", "dict_type")
OBJECT = "the body must be a JSON object, sent with the header Content-Type: application/json"
BY_FRAMEWORK = "There was an error parsing the body"
UNREADABLE = "the body cannot be read: send JSON in UTF-8 that is not nested too deeply, with numbers of normal size"

logger = logging.getLogger(__name__)


class Problem(BaseModel):
    """Reason why a request was refused, and what to do."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"error": "there is no project 7"}]})

    error: str
    fields: dict[str, str] = Field(
        default={},
        description=(
            "Of a body that does not fit its schema: what is wrong with each field, by its dotted path in the body "
            "(of settings of a project, in the settings). Parameters start with `path.`, `query.` or `header.`."
        ),
        examples=[{"workers.batch": "Input should be less than or equal to 50"}],
    )


PROBLEMS: dict[int | str, dict[str, object]] = {
    status: {"model": Problem, "description": description}
    for status, description in {
        400: "The request cannot be read.",
        401: "The caller is not signed in.",
        403: "The caller is not allowed to do this.",
        404: "The resource does not exist.",
        409: "The request conflicts with the present state.",
        413: "The body is too large.",
        422: "The request is invalid.",
        429: "Too many requests: wait as long as Retry-After says.",
        503: "The database is busy: try again.",
    }.items()
}


def add_error_handlers(app: FastAPI) -> None:
    """Register the handlers that turn exceptions into responses."""
    app.add_exception_handler(ServiceError, refused)
    app.add_exception_handler(QuorateError, refused)
    app.add_exception_handler(DataError, _not_stored)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _framework_error)
    app.add_exception_handler(OperationalError, busy)
    app.add_exception_handler(IntegrityError, _conflict)


def problem(
    message: str, status: int, headers: Mapping[str, str] | None = None, fields: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return an error response. message: put into one line. fields: messages of single fields by their paths."""
    content: dict[str, Any] = {"error": _in_one_line(message)}
    if fields:
        content["fields"] = {path: _in_one_line(text) for path, text in fields.items()}
    return JSONResponse(content, status, headers)


def refused(_: Request, error: Exception) -> JSONResponse:
    """Return the response to a request that the service refuses."""
    status = error.status if isinstance(error, ServiceError) else 422
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooMany) else None
    return problem(str(error), status, headers, error.fields if isinstance(error, Invalid) else None)


def _not_stored(_: Request, error: Exception) -> JSONResponse:
    """Return the response for a value that passed validation and that the database refused."""
    logger.warning("the database refused a value: %s", str(error).partition("\n")[0])
    return problem("the database cannot store a text or number of this request: look for unusual ones", 422)


def _invalid_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = error.errors()
    return problem(
        "; ".join(_sentence(detail) for detail in errors[:5]), 422, fields=field_errors(map(_in_body, errors))
    )


def _in_body(detail: dict[str, Any]) -> Any:
    """Return an error with the path in the body; JSON that cannot be read has no path."""
    source, *path = detail["loc"]
    if detail["type"] == "json_invalid":
        path = []
    return detail | {"loc": path if source == "body" else detail["loc"]}


def _conflict(_: Request, error: Exception) -> JSONResponse:
    """Return the response to a conflict of two requests, or to the key of an earlier vote for another lease."""
    logger.warning("unique constraint violated: %s", str(error).partition("\n")[0])
    return problem("this exists already, or its key was used for something else: load it again", 409)


def busy(_: Request, error: Exception) -> JSONResponse:
    """Return the response for a database that is busy or cannot be reached; the request had no effect."""
    logger.warning("the database does not respond: %s", error)
    return problem("the database is busy: try again in a moment", 503, {"Retry-After": "1"})


def _sentence(detail: dict[str, Any]) -> str:
    if detail["loc"] == ("body",) and detail["type"] in NOT_AN_OBJECT:
        return OBJECT
    if detail["type"] == "json_invalid":
        return f"the body is not JSON: {detail['ctx']['error']} at character {detail['loc'][-1]}"
    return f"{'.'.join(str(part) for part in detail['loc'])}: {detail['msg'].removeprefix('Value error, ')}"


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _framework_error(request: Request, error: Exception) -> JSONResponse:
    """Return the response to a request that the framework refuses."""
    assert isinstance(error, HTTPException)
    messages = {
        BY_FRAMEWORK: UNREADABLE,
        "Not Found": "there is nothing at this address: /docs lists all operations",
        "Method Not Allowed": f"{request.method} is not possible at this address: /docs lists all operations",
    }
    return problem(messages.get(error.detail, str(error.detail)), error.status_code, error.headers)
