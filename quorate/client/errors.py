"""What goes wrong between a client and the service."""

from quorate.errors import QuorateError


class ClientError(QuorateError):
    """The service refused, or was not reached. `status` is that of HTTP; None where no answer came.

    `retry_after`: seconds after which to ask again, where the service said so.
    """

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
