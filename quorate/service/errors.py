"""What the service refuses, in words that say what to do; `api.errors` gives each its HTTP status, and nobody else."""

from collections.abc import Mapping

from quorate.errors import QuorateError


class ServiceError(QuorateError):
    """Something that the caller can mend."""

    status = 400


class NotSignedIn(ServiceError):
    """Nobody knows who is asking."""

    status = 401


class Refused(ServiceError):
    """Known, but not allowed."""

    status = 403


class NotFound(ServiceError):
    """There is no such thing, or it is not for the one who asks."""

    status = 404


class Conflict(ServiceError):
    """It does not fit the state that things are in."""

    status = 409


class TooLarge(ServiceError):
    """More than is taken at once."""

    status = 413


class Invalid(ServiceError):
    """Understood, but not possible. fields: what is wrong, by the dotted path of each field that is."""

    status = 422

    def __init__(self, message: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields = dict(fields or {})


class TooMany(ServiceError):
    """Too often: wait, then try again."""

    status = 429

    def __init__(self, message: str, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after
