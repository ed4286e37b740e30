"""Threads and processes: one thread for numpy's products, and jobs shared out among processes."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

from quorate.errors import MethodError

Shared = TypeVar("Shared")
Job = TypeVar("Job")
Result = TypeVar("Result")


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Use one thread for numpy's products inside: for matrices of our sizes more only wait for each other.

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


def run_jobs(
    function: Callable[[Shared, Job], Result], jobs: Sequence[Job], shared: Shared, processes: int
) -> Iterator[tuple[Job, Result]]:
    """Yield (job, function(shared, job)) of every job, as they are done.

    With one process, or one job, the jobs run here and in order. With more, each process gets `shared` once, when it
    starts, and computes with one thread; a job's exception arrives here, and jobs not yet begun are dropped.

    function: defined at the top of a module, so that a new process can import it.

    >>> list(run_jobs(pow, [1, 2, 3], shared=2, processes=1))
    [(1, 2), (2, 4), (3, 8)]
    """
    if processes == 1 or len(jobs) < 2:
        for job in jobs:
            yield job, function(shared, job)
        return
    spawn = get_context("spawn")  # a forked process would share the threads of torch, and wait for them forever
    with ProcessPoolExecutor(min(processes, len(jobs)), spawn, _keep_shared, (shared,)) as executor:
        try:
            job_of = {executor.submit(_run_with_shared, function, job): job for job in jobs}
            for future in as_completed(job_of):
                yield job_of[future], future.result()
        except BrokenProcessPool:
            raise MethodError(
                "a process ended before its job was done, perhaps for want of memory: use fewer processes "
                "(and in a script, call this below if __name__ == '__main__')"
            ) from None
        finally:
            executor.shutdown(cancel_futures=True)


_shared: Any = None  # what the jobs of this process share; set only in processes that run_jobs starts


def _keep_shared(shared: Any) -> None:
    global _shared
    _shared = shared


def _run_with_shared(function: Callable[[Any, Job], Result], job: Job) -> Result:
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    with one_blas_thread():
        return function(_shared, job)
