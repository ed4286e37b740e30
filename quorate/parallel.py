"""Threads and processes: one thread for matrix products, and jobs distributed to processes."""

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
    """Use one thread for the matrix products of numpy inside: at our sizes, more threads only wait for each other.

    On two busy processors a fit takes sixteen times as long with two threads. Without threadpoolctl, which comes with
    scikit-learn, nothing changes.
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
    """Yield (job, function(shared, job)) of every job, in the order of completion.

    With one process, or one job, the jobs run in this process and in order. With more, each process gets `shared` once,
    when it starts, and computes with one thread; an exception of a job is raised here, and pending jobs are cancelled.

    Args:
        function: defined at the top of a module, so that a new process can import it.
        jobs: the second arguments of the function.
        shared: the first argument of the function.
        processes: the number of processes.

    >>> list(run_jobs(pow, [1, 2, 3], shared=2, processes=1))
    [(1, 2), (2, 4), (3, 8)]
    """
    if processes == 1 or len(jobs) < 2:
        for job in jobs:
            yield job, function(shared, job)
        return
    spawn = get_context("spawn")  # fork would inherit the threads of torch and can deadlock
    with ProcessPoolExecutor(min(processes, len(jobs)), spawn, _keep_shared, (shared,)) as executor:
        try:
            job_of = {executor.submit(_run_with_shared, function, job): job for job in jobs}
            for future in as_completed(job_of):
                yield job_of[future], future.result()
        except BrokenProcessPool:
            raise MethodError(
                "a process ended before its job was done, perhaps because memory ran out: use fewer processes "
                "(and in a script, call this below if __name__ == '__main__')"
            ) from None
        finally:
            executor.shutdown(cancel_futures=True)


_shared: Any = None  # the `shared` of run_jobs; set only in the processes that it starts


def _keep_shared(shared: Any) -> None:
    global _shared
    _shared = shared


def _run_with_shared(function: Callable[[Any, Job], Result], job: Job) -> Result:
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    with one_blas_thread():
        return function(_shared, job)
