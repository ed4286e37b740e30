"""Dawid-Skene with a confusion matrix per cluster of workers."""

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


class _Clusters(NamedTuple):
    """Clusters of workers.

    Attributes:
        log_tables: (cluster, observed, true), log-probabilities of the confusion matrices.
        weight: (cluster,), share of the workers in each cluster.
        member: (n_workers + 1, cluster), probability of each worker to belong to each cluster.
        class_prior: (true,).
    """

    log_tables: Array
    weight: Array
    member: Array
    class_prior: Array

    def log_table(self) -> Array:
        """Return the expected log-likelihood of each label of each worker: (n_workers + 1, observed, true)."""
        table: Array = np.tensordot(self.member, self.log_tables, axes=1)
        return table


@dataclass(frozen=True, kw_only=True)
class ClusteredDawidSkene:
    """Dawid-Skene with a confusion matrix per cluster of workers instead of one per worker.

    Model: P(votes of a task) = sum_k rho_k * prod_j C_z(j)[k, l_j], with l_j the label by worker j and z(j) the
    worker's cluster. Tasks, clusters and confusion matrices are fitted together by mean-field variational EM. Rows of a
    confusion matrix have a Dirichlet prior of `strength` pseudo-votes, centred on the responses of the whole crowd.
    Workers are first grouped by how often they agree with others.

    Use it when: there are many classes and few votes per worker, too few to learn a confusion matrix for each of them.

    Paper: Imamura, Sato and Sugiyama, "Analysis of minimax error rate for crowdsourcing and its application to worker
    clustering model", ICML 2018.

    Args:
        clusters: number of clusters.
        strength: weight of the prior on a row of a confusion matrix, in pseudo-votes.
        max_rounds: maximum number of rounds of EM.
        tol: smallest gain of the objective per vote that is worth another round.

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

        def m_step(statistics: tuple[Tally, Array]) -> _Clusters:
            tally, member = statistics
            answers = tally.answers.reshape(len(member), -1)
            log_tables = log_conditional((member.T @ answers).reshape(-1, *pseudo_votes.shape), pseudo_votes)
            weight = member[voted].sum(axis=0) + 1
            weight /= weight.sum()
            member = answers @ log_tables.reshape(len(weight), -1).T + np.log(weight)
            softmax_rows(member)
            class_prior = knowledge.class_prior_from_totals(tally.classes + pseudo_tasks)
            return _Clusters(log_tables, weight, member, class_prior)

        def e_step(clusters: _Clusters) -> tuple[tuple[Tally, Array], float]:
            tally = passes.row_pass(clusters.log_table(), knowledge.log_prior(clusters.class_prior))
            members = clusters.member[voted]
            bound = tally.evidence + (members * (np.log(clusters.weight) - safe_log(members))).sum()
            log_prior = (pseudo_votes * clusters.log_tables).sum() + np.log(clusters.weight).sum()
            log_prior += (pseudo_tasks + knowledge.gold_only) @ safe_log(clusters.class_prior)
            return (tally, clusters.member), float(bound + log_prior)

        start = (share_tally, self._first_members(share_tally, votes))
        fit = em(start, m_step, e_step, n_votes=len(votes), max_rounds=self.max_rounds, tol=self.tol)
        clusters = fit.model
        probs = np.empty(shares.shape)
        passes.row_pass(clusters.log_table(), knowledge.log_prior(clusters.class_prior), out=probs)
        mixed = np.tensordot(clusters.member, np.exp(clusters.log_tables), axes=1)
        return Posterior.of(
            votes,
            knowledge.clamp(probs),
            class_prior=clusters.class_prior,
            worker_model=Confusion(true_first(np.log(mixed))),
            objective=fit.objective,
            converged=fit.converged,
        )

    def _first_members(self, share_tally: Tally, votes: Votes) -> Array:
        """Return first memberships, (n_workers + 1, cluster): clusters of equal size, by agreement with others."""
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
