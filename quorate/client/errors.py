"""Errors of the client."""

from quorate.errors import QuorateError


class ClientError(QuorateError):
    """The service rejected a request, or could not be reached.

    status: HTTP status; None without a response. retry_after: seconds after which to try again, if the service says so.
    """

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
