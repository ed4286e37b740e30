"""Limits on the threads of numerical libraries."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """One thread for numpy's products inside: for matrices of our sizes more only wait for each other.

    On two busy processors a fit takes sixteen times as long with two threads. Where threadpoolctl is missing (it comes
    with scikit-learn), nothing is changed.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(1, user_api="blas"):
        yield
