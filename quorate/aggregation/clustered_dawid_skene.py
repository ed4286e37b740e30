"""A confusion matrix per kind of worker."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import LEAST_STRENGTH, Confusion
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.em import em
from quorate.inference.kernels import Tally, safe_log, softmax_rows, true_first, vote_passes
from quorate.inference.kernels.m_step import log_conditional, refuse_huge_tables, typical_worker
from quorate.typing import Array


class _Kinds(NamedTuple):
    """The kinds of workers: their confusion matrices (kind, said, true), how common each is, and who is which.

    member: (n_workers + 1, kind), rows sum to one.
    """

    log_tables: Array
    common: Array
    member: Array
    class_prior: Array

    def log_table(self) -> Array:
        """What the votes of each worker count for: (n_workers + 1, said, true)."""
        table: Array = np.tensordot(self.member, self.log_tables, axes=1)
        return table


@dataclass(frozen=True, kw_only=True)
class ClusteredDawidSkene:
    """Dawid-Skene with a confusion matrix per kind of worker instead of one per worker.

    Model: every worker is of one of `clusters` kinds, every kind has a confusion matrix; tasks, kinds of workers and
    matrices are fitted together by mean-field variational EM. Rows of a matrix have a Dirichlet prior of `strength`
    pseudo-votes, spread as the whole crowd answers. The workers start in groups by how often they agree with others.

    Use it when: there are many classes and few votes per worker, so that a matrix of one's own cannot be learnt.

    Paper: Imamura, Sato and Sugiyama, "Analysis of minimax error rate for crowdsourcing and its application to worker
    clustering model", ICML 2018.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> ClusteredDawidSkene(clusters=2).aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    clusters: int = 4
    strength: float = 8.0
    max_rounds: int = 100
    tol: float = 1e-6

    def __post_init__(self) -> None:
        require_numbers(self, "clusters", at_least=1)
        require_numbers(self, "strength", above=LEAST_STRENGTH)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        refuse_huge_tables(votes)
        knowledge, passes = PriorKnowledge.of(votes, prior, gold), vote_passes(votes)
        shares = knowledge.vote_shares(votes)
        share_tally = passes.row_tally(shares)
        pseudo_votes, pseudo_tasks = self.strength * typical_worker(share_tally.answers), knowledge.pseudo_tasks(votes)
        voted = votes.votes_per_voter > 0

        def m_step(expected: tuple[Tally, Array]) -> _Kinds:
            tally, member = expected
            answers = tally.answers.reshape(len(member), -1)
            log_tables = log_conditional((member.T @ answers).reshape(-1, *pseudo_votes.shape), pseudo_votes)
            common = member[voted].sum(axis=0) + 1
            common /= common.sum()
            member = answers @ log_tables.reshape(len(common), -1).T + np.log(common)
            softmax_rows(member)
            return _Kinds(log_tables, common, member, knowledge.class_prior_from_totals(tally.classes + pseudo_tasks))

        def e_step(kinds: _Kinds) -> tuple[tuple[Tally, Array], float]:
            tally = passes.row_pass(kinds.log_table(), knowledge.log_prior(kinds.class_prior))
            members = kinds.member[voted]
            bound = tally.evidence + (members * (np.log(kinds.common) - safe_log(members))).sum()
            log_prior = (pseudo_votes * kinds.log_tables).sum() + np.log(kinds.common).sum()
            log_prior += (pseudo_tasks + knowledge.gold_only) @ safe_log(kinds.class_prior)
            return (tally, kinds.member), float(bound + log_prior)

        start = (share_tally, self._start(share_tally, votes))
        fit = em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        kinds = fit.model
        probs = np.empty(shares.shape)
        passes.row_pass(kinds.log_table(), knowledge.log_prior(kinds.class_prior), out=probs)
        mixed = np.tensordot(kinds.member, np.exp(kinds.log_tables), axes=1)
        return Posterior.of(
            votes,
            knowledge.clamp(probs),
            class_prior=kinds.class_prior,
            worker_model=Confusion(true_first(np.log(mixed))),
            objective=fit.objective,
            converged=fit.converged,
        )

    def _start(self, share_tally: Tally, votes: Votes) -> Array:
        """Workers in equal groups by how often they agree with others: (n_workers + 1, kind), mostly in their own."""
        n_votes = votes.votes_per_voter
        right = np.einsum("wss->w", share_tally.answers)
        agreement = (right + 1) / (n_votes + 2)
        voted, rank = n_votes > 0, np.zeros(len(n_votes))
        rank[voted] = np.argsort(np.argsort(agreement[voted], kind="stable"))
        group = np.minimum(rank * self.clusters // max(voted.sum(), 1), self.clusters - 1).astype(int)
        member = np.full((len(n_votes), self.clusters), 0.2 / self.clusters)
        member[np.arange(len(n_votes)), group] += 0.8
        member[~voted] = 1 / self.clusters
        return member
