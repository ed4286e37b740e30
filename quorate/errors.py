"""Errors: each message says in one line what is wrong and what to do.

A message says what is wrong, what was given, what is allowed and what to do.
"""


class QuorateError(Exception):
    """An error that the caller can fix; the command line shows its message and exits with status 2."""


class VotesError(QuorateError, ValueError):
    """Votes, labels, priors or gold labels that do not fit together."""


class FileError(QuorateError, OSError):
    """A file that cannot be read or written."""

    # OSError shows two arguments as `[Errno ...]`; ours always has one, the message.
    def __str__(self) -> str:
        return str(self.args[0])


class UnknownNameError(QuorateError, LookupError):
    """A name of a method, data set or task that does not exist; the message lists or suggests existing ones."""


class MethodError(QuorateError, ValueError):
    """Votes or options that a method does not support, such as three classes for a binary method."""


class MissingExtraError(QuorateError, ImportError):
    """An optional package that is not installed; the message says how to install it."""
