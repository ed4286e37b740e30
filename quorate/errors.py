"""Errors: each message says in one line what is wrong and what to do.

Every message is one line: what is wrong, what was given, what is allowed, what to do.
"""


class QuorateError(Exception):
    """Something that the caller can mend; the command line shows its message and exits with 2."""


class VotesError(QuorateError, ValueError):
    """Votes, labels, priors or gold that do not fit together."""


class FileError(QuorateError, OSError):
    """A file that cannot be read or written as asked."""

    # OSError would print `[Errno ...]` forms for two arguments; ours has always one, the message.
    def __str__(self) -> str:
        return str(self.args[0])


class UnknownNameError(QuorateError, LookupError):
    """A method, data set or format that does not exist; the message names those that do."""


class MethodError(QuorateError, ValueError):
    """A method that cannot take these votes or options, such as one for two classes given three."""


class MissingExtraError(QuorateError, ImportError):
    """An optional package that is not installed; the message has the line that installs it."""
