"""Errors of the service, whose messages say what to do; `routes.http.errors` turns them into HTTP responses."""

from collections.abc import Mapping

from quorate.errors import QuorateError


class ServiceError(QuorateError):
    """An error that the caller can fix."""

    status = 400


class NotSignedIn(ServiceError):
    """The caller is not authenticated."""

    status = 401


class Refused(ServiceError):
    """The caller is not allowed to do this."""

    status = 403


class NotFound(ServiceError):
    """The object does not exist, or the caller may not see it."""

    status = 404


class Conflict(ServiceError):
    """The request conflicts with the current state."""

    status = 409


class TooLarge(ServiceError):
    """The request is too large."""

    status = 413


class Invalid(ServiceError):
    """The request is well-formed but invalid. fields: messages by the dotted path of the invalid field."""

    status = 422

    def __init__(self, message: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields = dict(fields or {})


class TooMany(ServiceError):
    """The caller sent too many requests: wait, then try again."""

    status = 429

    def __init__(self, message: str, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after
