"""What the service writes to stderr: lines for people, or one JSON object per line for machines.

Whatever is logged while a request is answered carries the request's id.
"""

import logging
import sys
import time
from contextvars import ContextVar
from typing import Any, TextIO

import orjson

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
FIELDS = "fields"  # of a record: what else it says, by name


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        line: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (request_id := REQUEST_ID.get()) is not None:
            line["request_id"] = request_id
        line |= getattr(record, FIELDS, {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


class PlainLines(logging.Formatter):
    """A line for people; tracebacks follow on lines of their own."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        said = " ".join(f"{name}={value}" for name, value in getattr(record, FIELDS, {}).items())
        request_id = REQUEST_ID.get()
        parts = (_time(record), record.levelname.lower(), record.getMessage(), said)
        line = " ".join(part for part in (*parts, f"request_id={request_id}" if request_id else "") if part)
        line = line.replace("\n", "\\n").replace("\r", "\\r")  # what a client sent must not look like a line of ours
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up_logs(level: str, form: str, stream: TextIO | None = None) -> None:
    """Let everything that this process logs go to stderr, or to a stream, in one form."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("quorate").setLevel(level.upper())
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False  # nobody reads them: save the time


def _time(record: logging.LogRecord) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{whole}.{int(record.msecs):03d}Z"
