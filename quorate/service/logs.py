"""Logs on stderr: plain lines for people, or one JSON object per line for programs.

Everything that is logged during a request carries the id of the request.
"""

import logging
import sys
import time
from contextvars import ContextVar
from typing import Any, TextIO

import orjson

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
FIELDS = "fields"  # attribute of a log record with additional values by name


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
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
    """A plain line; tracebacks follow on separate lines."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        values = " ".join(f"{name}={value}" for name, value in getattr(record, FIELDS, {}).items())
        request_id = REQUEST_ID.get()
        parts = (_time(record), record.levelname.lower(), record.getMessage(), values)
        line = " ".join(part for part in (*parts, f"request_id={request_id}" if request_id else "") if part)
        line = line.replace("\n", "\\n").replace("\r", "\\r")  # text of a client must not look like a line of the log
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up_logs(level: str, log_format: str, stream: TextIO | None = None) -> None:
    """Send all logs of this process to stderr, or to a stream, in one format (plain or json)."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if log_format == "json" else PlainLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("quorate").setLevel(level.upper())
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False  # not used: this saves time


def _time(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03d}Z"
