"""Passes over all votes, compiled by numba: the only module that imports it.

Votes are in the order of their tasks: start, (n_tasks + 1,), is the first vote of each task, and row, (n_votes and some
padding for the prefetch), is worker * n_classes + label. Tasks are handled in blocks: gather the log-likelihoods of
their votes, softmax, scatter the posterior back to the rows. Memory is prefetched some votes ahead, and the number of
classes is a constant of each compiled function, so that the compiler can unroll loops. Unsigned indices avoid numba's
check for negative ones on every access.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
from numba.cpython.unsafe import tuple as unsafe_tuple

PREFETCH_DISTANCE = 48  # votes between the prefetch of a row and its use
BLOCK = 128  # tasks whose scores are held at a time
MAX_CLASSES = 200  # bounds the sums of a block, whose product must not overflow

U: Any = np.uint64
F: Any = np.float32
njit: Any = numba.njit
tuple_setitem: Any = unsafe_tuple.tuple_setitem


def _compiled(function: Callable[..., Any]) -> Any:
    """Compile without the interpreter's lock, and cache the result on disk if possible."""
    options = {"nogil": True, "error_model": "numpy", "boundscheck": False, "fastmath": {"reassoc", "contract"}}
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError:  # neither the package nor the user's home can be written to
        return njit(**options)(function)


def _make_prefetch() -> Any:
    """Return prefetch(array, index), which loads a cell into the cache; a no-op if numba's internals have changed."""
    try:
        from llvmlite import ir
        from numba.core import types
        from numba.extending import intrinsic

        @intrinsic
        def prefetch(_context: Any, array: Any, index: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
                address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
                integer = ir.IntType(32)
                signature_type = ir.FunctionType(ir.VoidType(), [address.type, integer, integer, integer])
                fetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], signature_type)
                builder.call(fetch, [address, integer(0), integer(3), integer(1)])  # read, high locality, data cache
                return context.get_dummy_value()

            return types.void(array, index), generate

        njit(lambda array: prefetch(array, U(0)))(np.zeros(1))  # type: ignore[call-arg]
    except Exception:  # any error of numba: prefetching is only an optimisation
        return _compiled(lambda array, index: None)
    return prefetch


prefetch = _make_prefetch()


@_compiled
def _exp(x: Any, size: Any, powers: Any, bits: Any) -> None:
    """Compute exp of x[:size] for x <= 0, in place, to seven digits: 2^n * e^r, in steps that compile to vector code.

    powers and bits are views of the same memory, as floats and as integers.
    """
    for j in range(size):
        value = max(x[j], F(-87.0))
        shifted = value * F(1.4426950408889634) + F(12582912.0)  # adding 1.5 * 2^23 rounds to a whole number
        powers[j] = shifted
        whole = shifted - F(12582912.0)
        r = value - whole * F(0.693145751953125) - whole * F(1.428606765330187e-06)  # log 2 in two parts
        x[j] = F(1) + r * (F(1) + r * (F(1 / 2) + r * (F(1 / 6) + r * (F(1 / 24) + r * (F(1 / 120) + r * F(1 / 720))))))
    for j in range(size):
        bits[j] = (bits[j] << 23) + np.int32(0x3F800000)  # the whole number becomes the exponent
    for j in range(size):
        x[j] *= powers[j]


@_compiled
def _softmax(score: Any, voted: Any, n: Any, width: Any, powers: Any, bits: Any, sums: Any) -> Any:
    """Turn the columns of score (width, BLOCK) into probabilities; return the sum of the logs of their sums.

    The sum is over those of the first n columns whose tasks have votes (voted = 1). All loops run along the tasks of
    the block, so that they compile to vector code; sums (BLOCK,) is working memory.
    """
    evidence = 0.0
    for i in range(U(BLOCK)):
        sums[i] = score[U(0), i]
    for k in range(U(1), width):
        for i in range(U(BLOCK)):
            sums[i] = max(sums[i], score[k, i])
    for k in range(width):
        for i in range(U(BLOCK)):
            score[k, i] -= sums[i]
    for i in range(n):
        evidence += sums[i] * voted[i]
    _exp(score.reshape(score.size), width * U(BLOCK), powers, bits)
    for i in range(U(BLOCK)):
        sums[i] = score[U(0), i]
    for k in range(U(1), width):
        for i in range(U(BLOCK)):
            sums[i] += score[k, i]
    product = 1.0  # of all sums, so that one logarithm is enough
    for i in range(n):
        product *= F(1) + (sums[i] - F(1)) * voted[i]
    for i in range(U(BLOCK)):
        sums[i] = F(1) / sums[i]
    for k in range(width):
        for i in range(U(BLOCK)):
            score[k, i] *= sums[i]
    return evidence + np.log(product)


@_compiled
def _hardmax(score: Any, voted: Any, n: Any, width: Any) -> Any:
    """Turn every column into the one-hot column of its (first) maximum; return the sum of the maxima."""
    evidence = 0.0
    for i in range(n):
        best = U(0)
        for k in range(U(1), width):
            if score[k, i] > score[best, i]:
                best = k
        evidence += score[best, i] * voted[i]
        for k in range(width):
            score[k, i] = F(k == best)
    return evidence


@_compiled
def _keep(score: Any, voted: Any, begin: Any, n: Any, width: Any, classes: Any, probs: Any) -> None:
    """Add the posterior of tasks with votes to classes, and copy it to probs if that is not empty."""
    for k in range(width):
        total = F(0)
        for i in range(n):
            total += score[k, i] * voted[i]
        classes[k] += total
    if probs.shape[0]:
        for i in range(n):
            for k in range(width):
                probs[begin + i, k] = score[k, i]


@cache
def row_pass(width: int, hard: bool) -> Any:
    """Compile the pass in which every vote adds a row of a table to its task: see Passes.row_pass.

    table, counts: (n_rows * (width - 1)); all but the last class, which follows from the others. Sums over the votes
    of a task are a number or a tuple, not an array, so that the compiler can keep them in registers.
    """
    others = width - 1
    zeros = (F(0),) * others

    @_compiled
    def run(start: Any, row: Any, table: Any, log_prior: Any, counts: Any, classes: Any, probs: Any, tasks: Any) -> Any:
        score, voted = np.zeros((width, BLOCK), F), np.zeros(BLOCK, F)
        sums, powers = np.zeros(BLOCK, F), np.zeros(BLOCK * width, F)
        bits, own_prior = powers.view(np.int32), U(log_prior.shape[0] > 1)
        evidence = 0.0
        for begin in range(U(tasks[0]), U(tasks[1]), U(BLOCK)):
            n = min(U(BLOCK), U(tasks[1]) - begin)
            for i in range(n):
                first, last = U(start[begin + i]), U(start[begin + i + U(1)])
                voted[i] = F(last > first)
                for k in range(U(width)):
                    score[k, i] = log_prior[(begin + i) * own_prior, k]
                if others == 1:
                    total = F(0)
                    for v in range(first, last):
                        total += table[U(row[v])]
                    score[U(0), i] += total
                else:
                    totals = zeros
                    for v in range(first, last):
                        later = U(row[v + U(PREFETCH_DISTANCE)]) * U(others)
                        prefetch(table, later)
                        prefetch(table, later + U(others - 1))  # a row may span two cache lines
                        for k in range(others):
                            totals = tuple_setitem(totals, k, totals[k] + table[U(row[v]) * U(others) + U(k)])
                    for k in range(others):
                        score[U(k), i] += totals[k]
            if hard:
                evidence += _hardmax(score, voted, n, U(width))
            else:
                evidence += _softmax(score, voted, n, U(width), powers, bits, sums)
            for i in range(n):
                first, last = U(start[begin + i]), U(start[begin + i + U(1)])
                if others == 1:
                    share = score[U(0), i]
                    for v in range(first, last):
                        counts[U(row[v])] += share
                else:
                    shares = zeros
                    for k in range(others):
                        shares = tuple_setitem(shares, k, score[U(k), i])
                    for v in range(first, last):
                        later = U(row[v + U(PREFETCH_DISTANCE)]) * U(others)
                        prefetch(counts, later)
                        prefetch(counts, later + U(others - 1))
                        for k in range(others):
                            counts[U(row[v]) * U(others) + U(k)] += shares[k]
            _keep(score, voted, begin, n, U(width), classes, probs)
        return evidence

    return run


@cache
def vote_pass(width: int) -> Any:
    """Compile the pass in which every vote adds a number to its label: see Passes.vote_pass.

    log_odds, right: (n_rows,).
    """

    @_compiled
    def run(
        start: Any, row: Any, log_odds: Any, log_prior: Any, right: Any, classes: Any, probs: Any, tasks: Any
    ) -> Any:
        score, voted = np.zeros((width, BLOCK), F), np.zeros(BLOCK, F)
        sums, powers = np.zeros(BLOCK, F), np.zeros(BLOCK * width, F)
        bits, own_prior = powers.view(np.int32), U(log_prior.shape[0] > 1)
        evidence = 0.0
        for begin in range(U(tasks[0]), U(tasks[1]), U(BLOCK)):
            n = min(U(BLOCK), U(tasks[1]) - begin)
            for i in range(n):
                for k in range(U(width)):
                    score[k, i] = log_prior[(begin + i) * own_prior, k]
                first, last = U(start[begin + i]), U(start[begin + i + U(1)])
                voted[i] = F(last > first)
                for v in range(first, last):
                    prefetch(log_odds, U(row[v + U(PREFETCH_DISTANCE)]))
                    cell = U(row[v])
                    score[cell % U(width), i] += log_odds[cell]
            evidence += _softmax(score, voted, n, U(width), powers, bits, sums)
            for i in range(n):
                for v in range(U(start[begin + i]), U(start[begin + i + U(1)])):
                    prefetch(right, U(row[v + U(PREFETCH_DISTANCE)]))
                    cell = U(row[v])
                    right[cell] += score[cell % U(width), i]
            _keep(score, voted, begin, n, U(width), classes, probs)
        return evidence

    return run


@cache
def edge_pass(width: int) -> Any:
    """Compile the likelihood, gradient and posterior of GLAD as one pass in double precision: see Passes.edge_pass."""
    log_others = float(np.log(width - 1))

    @_compiled
    def run(
        start: Any,
        row: Any,
        ability: Any,
        easiness: Any,
        log_prior: Any,
        by_worker: Any,
        by_task: Any,
        probs: Any,
        tasks: Any,
    ) -> Any:
        score = np.empty(width)
        own_prior, keep = U(log_prior.shape[0] > 1), probs.shape[0] > 0
        evidence = 0.0
        for i in range(U(tasks[0]), U(tasks[1])):
            first, last = U(start[i]), U(start[i + U(1)])
            for k in range(U(width)):
                score[k] = log_prior[i * own_prior, k]
            wrong = 1.0  # product of 1 + e^-|x|: one logarithm for the votes of a task
            for v in range(first, last):
                prefetch(ability, U(row[v + U(PREFETCH_DISTANCE)]) // U(width))
                cell = U(row[v])
                x = ability[cell // U(width)] * easiness[i]
                score[cell % U(width)] += x + log_others
                wrong *= 1.0 + np.exp(-abs(x))
                evidence -= max(x, 0.0) + log_others
                if wrong > 1e200:
                    evidence -= np.log(wrong)
                    wrong = 1.0
            highest = score[U(0)]
            for k in range(U(1), U(width)):
                highest = max(highest, score[k])
            total = 0.0
            for k in range(U(width)):
                score[k] = np.exp(score[k] - highest)
                total += score[k]
            evidence += highest + np.log(total / wrong)
            gradient = 0.0
            for v in range(first, last):
                cell = U(row[v])
                worker = cell // U(width)
                x = ability[worker] * easiness[i]
                residual = score[cell % U(width)] / total - 1.0 / (1.0 + np.exp(-x))
                by_worker[worker] += residual * easiness[i]
                gradient += residual * ability[worker]
            by_task[i] = gradient
            if keep:
                for k in range(U(width)):
                    probs[i, k] = score[k] / total
        return evidence

    return run


@_compiled
def row_tally(start: Any, row: Any, probs: Any, counts: Any) -> None:
    """Add the posterior of each task to the rows of its votes: counts (n_rows, width)."""
    for i in range(U(probs.shape[0])):
        for v in range(U(start[i]), U(start[i + U(1)])):
            for k in range(U(probs.shape[1])):
                counts[U(row[v]), k] += probs[i, k]


@_compiled
def vote_tally(start: Any, row: Any, probs: Any, right: Any) -> None:
    """Add the probability of each vote's label to its row: right (n_rows,)."""
    width = U(probs.shape[1])
    for i in range(U(probs.shape[0])):
        for v in range(U(start[i]), U(start[i + U(1)])):
            right[U(row[v])] += probs[i, U(row[v]) % width]
