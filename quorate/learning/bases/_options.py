"""Options of bases, refused where they make no sense."""

from typing import Any, get_args

from quorate.errors import MethodError


def require_share(name: str, value: float) -> None:
    """Refuse a share, such as of dropout, that is not at least 0 and below 1."""
    if not 0 <= value < 1:
        raise MethodError(f"{name} must be at least 0 and below 1, got {value}")


def require_positive(options: object, *names: str) -> None:
    """Refuse options that must be 1 or more and are not."""
    for name in names:
        if getattr(options, name) < 1:
            raise MethodError(f"{name} must be at least 1, got {getattr(options, name)}")


def require_sizes(name: str, sizes: tuple[int, ...], example: str) -> None:
    """Refuse sizes of layers that name none, or one below 1."""
    if not sizes or min(sizes) < 1:
        raise MethodError(f"{name} must name at least one layer, each of 1 or more, such as {example}, got {sizes}")


def require_heads(width: int, heads: int) -> None:
    """Refuse heads of attention that cannot share out its features evenly."""
    if heads < 1 or width % heads:
        raise MethodError(f"heads must share out {width} features evenly, got {heads}")


def require_choice(name: str, given: object, allowed: Any) -> None:
    """Refuse what is not one of a Literal."""
    if given not in get_args(allowed):
        raise MethodError(f"{name} must be one of {', '.join(map(str, get_args(allowed)))}, got {given!r}")
