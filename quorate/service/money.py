"""Money as whole millionths of the project's unit, so that sums are exact and a budget holds to the last digit."""

UNIT = 1_000_000


def to_money(amount: float) -> int:
    """Millionths of an amount.

    >>> to_money(0.1) + to_money(0.2) == to_money(0.3)
    True
    """
    return round(amount * UNIT)


def from_money(millionths: int) -> float:
    """The amount again."""
    return millionths / UNIT


def with_fee(price: int, fee: float) -> int:
    """What a price costs with the platform's share on top, rounded up: a budget must never be overrun by rounding.

    >>> with_fee(to_money(1.0), 0.33), with_fee(3, 0.1)
    (1330000, 4)
    """
    share = round(fee * UNIT)
    return price + -(-price * share // UNIT)
