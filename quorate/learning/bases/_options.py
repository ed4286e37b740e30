"""Options of bases, refused where they make no sense."""

from quorate.errors import MethodError


def require_sizes(name: str, sizes: tuple[int, ...], example: str) -> None:
    """Refuse sizes of layers that name none, or one below 1."""
    if not sizes or min(sizes) < 1:
        raise MethodError(f"{name} must name at least one layer, each of 1 or more, such as {example}, got {sizes}")


def require_heads(width: int, heads: int) -> None:
    """Refuse heads of attention that cannot share out its features evenly."""
    if heads < 1 or width % heads:
        raise MethodError(f"heads must share out {width} features evenly, got {heads}")
