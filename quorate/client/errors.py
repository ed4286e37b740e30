"""Errors of the client."""

from collections.abc import Mapping

from quorate.errors import QuorateError


class ClientError(QuorateError):
    """The service rejected a request, or could not be reached.

    Attributes:
        status: HTTP status; None without a response.
        retry_after: seconds after which to try again, if the service says so.
        fields: what is wrong with each field of the request, by its dotted path, such as `workers.batch`.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        fields: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.fields = dict(fields or {})
