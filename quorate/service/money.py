"""Money in whole millionths of the unit of a project, so that sums are exact and budgets hold to the last digit."""

UNIT = 1_000_000


def to_money(amount: float) -> int:
    """Return an amount in millionths.

    >>> to_money(0.1) + to_money(0.2) == to_money(0.3)
    True
    """
    return round(amount * UNIT)


def from_money(millionths: int) -> float:
    """Return the amount of millionths."""
    return millionths / UNIT


def with_fee(price: int, fee: float) -> int:
    """Return a price with the fee of the platform, rounded up, so that rounding never exceeds a budget.

    >>> with_fee(to_money(1.0), 0.33), with_fee(3, 0.1)
    (1330000, 4)
    """
    share = round(fee * UNIT)
    return price + -(-price * share // UNIT)
