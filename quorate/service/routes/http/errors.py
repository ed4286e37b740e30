"""How refusals look over HTTP: one line in `error`, the same for all. The only place that knows statuses."""

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
    """Why a request was refused, and what to do."""

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
    status: {"model": Problem, "description": told}
    for status, told in {
        400: "It cannot be read.",
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
    app.add_exception_handler(ServiceError, refused)
    app.add_exception_handler(QuorateError, refused)
    app.add_exception_handler(DataError, _not_storable)
    app.add_exception_handler(RequestValidationError, _misread)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(OperationalError, busy)
    app.add_exception_handler(IntegrityError, _there_already)


def problem(
    message: str, status: int, headers: Mapping[str, str] | None = None, fields: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return a refusal: its message in one line, whatever it quotes, and what is wrong with single fields."""
    content: dict[str, Any] = {"error": _in_one_line(message)}
    if fields:
        content["fields"] = {path: _in_one_line(text) for path, text in fields.items()}
    return JSONResponse(content, status, headers)


def refused(_: Request, error: Exception) -> JSONResponse:
    """Return the answer to a request that the service refuses."""
    status = error.status if isinstance(error, ServiceError) else 422
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooMany) else None
    return problem(str(error), status, headers, error.fields if isinstance(error, Invalid) else None)


def _not_storable(_: Request, error: Exception) -> JSONResponse:
    """What got past all checks of ours, and the database refused."""
    logger.warning("the database refused a value: %s", str(error).partition("\n")[0])
    return problem("the database cannot keep a text or number of this request: look for unusual ones", 422)


def _misread(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = error.errors()
    return problem("; ".join(_told(detail) for detail in errors[:5]), 422, fields=field_errors(map(_in_body, errors)))


def _in_body(detail: dict[str, Any]) -> Any:
    """Return an error with the path in the body; JSON that cannot be read has no path."""
    source, *path = detail["loc"]
    if detail["type"] == "json_invalid":
        path = []
    return detail | {"loc": path if source == "body" else detail["loc"]}


def _there_already(_: Request, error: Exception) -> JSONResponse:
    """Two requests that exclude each other, at the same time; or the key of an earlier vote for another lease."""
    logger.warning("the database refused a second one: %s", str(error).partition("\n")[0])
    return problem("this is there already, or its key was used for something else: look at it again", 409)


def busy(_: Request, error: Exception) -> JSONResponse:
    """The database cannot be reached, or has been busy for long; nothing of the request has happened."""
    logger.warning("the database did not answer: %s", error)
    return problem("the database is busy: try again in a moment", 503, {"Retry-After": "1"})


def _told(one: dict[str, Any]) -> str:
    if one["loc"] == ("body",) and one["type"] in NOT_AN_OBJECT:
        return OBJECT
    if one["type"] == "json_invalid":
        return f"the body is not JSON: {one['ctx']['error']} at character {one['loc'][-1]}"
    return f"{'.'.join(str(part) for part in one['loc'])}: {one['msg'].removeprefix('Value error, ')}"


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _plain(request: Request, error: Exception) -> JSONResponse:
    """What the framework refuses by itself."""
    assert isinstance(error, HTTPException)
    told = {
        BY_FRAMEWORK: UNREADABLE,
        "Not Found": "there is nothing at this address: /docs lists what there is",
        "Method Not Allowed": f"{request.method} is not possible at this address: /docs lists what is",
    }
    return problem(told.get(error.detail, str(error.detail)), error.status_code, error.headers)
