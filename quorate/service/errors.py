"""What the service refuses, and why. `api.errors` gives each its HTTP status."""

from quorate.errors import QuorateError


class ServiceError(QuorateError):
    """A request that cannot be met; the message says what to do instead."""


class NotFound(ServiceError):  # noqa: N818 - named after what is answered
    """There is no such thing."""


class NotSignedIn(ServiceError):  # noqa: N818
    """Nobody knows who is asking."""


class Refused(ServiceError):  # noqa: N818
    """Who is asking may not do this."""


class Conflict(ServiceError):  # noqa: N818
    """It does not fit what is already there."""


class Invalid(ServiceError):  # noqa: N818
    """What was sent makes no sense."""


class TooLarge(ServiceError):  # noqa: N818
    """More was sent than is taken."""


class TooMany(ServiceError):  # noqa: N818
    """Too much was asked too fast; `retry_after` says in how many seconds to come back."""

    def __init__(self, message: str, retry_after: int = 1):
        super().__init__(message)
        self.retry_after = retry_after
