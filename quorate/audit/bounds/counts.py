"""An audit in two numbers, and what must hold of them."""

from quorate.errors import MethodError


def check_audit(n_wrong: int, n_audited: int, n_pool: int | None = None) -> None:
    """Refuse counts that no audit can have."""
    if not 0 <= n_wrong <= n_audited:
        raise MethodError(f"wrong must be between 0 and the {n_audited} audited, got {n_wrong}")
    if n_pool is not None and n_audited > n_pool:
        raise MethodError(f"the pool has {n_pool} items, got {n_audited} audited: count each item once")


def check_share(name: str, share: float) -> None:
    """Refuse a share that is not between 0 and 1, both left out."""
    if not 0 < share < 1:
        raise MethodError(f"{name} must be between 0 and 1, both left out, got {share}")
