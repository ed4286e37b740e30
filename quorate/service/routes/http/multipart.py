"""Upload of a form with one file, which is written to disk in chunks; `body_limits` limits its size."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect

from quorate.service.errors import Invalid, TooLarge

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_FIELD = 100_000  # bytes of a field that is not the file
MAX_FIELDS = 20
FILE = "file"


@dataclass
class Upload:
    """Uploaded file, its name at the client, and the other fields of the form."""

    path: Path
    name: str = ""
    fields: dict[str, str] = field(default_factory=dict)


async def receive(request: Request, folder: Path) -> Upload:
    """Write the `file` of a form to a folder. The caller has checked before that the client may upload."""
    kind, options = parse_options_header(request.headers.get("Content-Type"))
    if kind != b"multipart/form-data" or b"boundary" not in options:
        raise Invalid(f"send the file as a form (multipart/form-data) with a part named {FILE!r}")
    with tempfile.NamedTemporaryFile(dir=folder, prefix="new-", delete=False) as target:
        form = _Form(target.file, Upload(Path(target.name)))
        try:
            await _feed(request, MultipartParser(options[b"boundary"], form.callbacks()))
            if not form.has_file or not form.ended:
                raise Invalid(f"the form has no complete part named {FILE!r}: send the file as one")
        except FormParserError as error:
            Path(target.name).unlink()
            raise Invalid(f"the form is broken: {error}") from None
        except BaseException:
            Path(target.name).unlink()
            raise
    return form.upload


async def _feed(request: Request, parser: MultipartParser) -> None:
    try:
        async for chunk in request.stream():
            parser.write(chunk)
    except ClientDisconnect:
        raise Invalid("the upload was interrupted: send the file again") from None
    parser.finalize()


class _Form:
    """Receiver of the parts of a form: it writes the file to the target and stores the short fields."""

    def __init__(self, target: IO[bytes], upload: Upload) -> None:
        self.upload, self.has_file, self.ended = upload, False, False
        self._target, self._part, self._kept = target, "", bytearray()
        self._name, self._value, self._headers = bytearray(), bytearray(), dict[bytes, bytes]()

    def callbacks(self) -> "MultipartCallbacks":
        """Return the callbacks of the parser."""
        return {
            "on_header_field": lambda data, start, end: self._name.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._start_part,
            "on_part_data": self._receive_data,
            "on_part_end": self._end_part,
            "on_end": self._end_form,
        }

    def _end_header(self) -> None:
        self._headers[bytes(self._name).lower()] = bytes(self._value)
        self._name.clear()
        self._value.clear()

    def _start_part(self) -> None:
        options = parse_options_header(self._headers.get(b"content-disposition"))[1]
        self._headers.clear()
        self._kept.clear()
        self._part = options.get(b"name", b"").decode("utf-8", "replace")
        if self._part == FILE:
            if self.has_file:
                raise Invalid("send one file at a time")
            self.has_file = True
            self.upload.name = Path(options.get(b"filename", b"").decode("utf-8", "replace").replace("\\", "/")).name

    def _receive_data(self, data: bytes, start: int, end: int) -> None:
        if self._part == FILE:
            self._target.write(data[start:end])
            return
        self._kept.extend(data[start:end])
        if len(self._kept) > MAX_FIELD or len(self.upload.fields) > MAX_FIELDS:
            raise TooLarge("the form has too many fields, or fields that are too long, besides the file")

    def _end_part(self) -> None:
        if self._part != FILE:
            self.upload.fields[self._part] = bytes(self._kept).decode("utf-8", "replace")

    def _end_form(self) -> None:
        self.ended = True
