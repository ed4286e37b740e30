import type { TaskDetail, VoteRecord } from "../../api";
import { Scroller } from "../../ui";
import { moment, seconds } from "../../ui/format";
import { STATUS_NAMES } from "../../ui/statuses";
import { amendedVotes, formatProbability, posteriorAfterVotes } from "./posterior-path";

const ANSWER_KINDS: Record<string, string> = { skip: "Skipped", unsure: "Unsure" };
const PURPOSES: Record<string, string> = { gold: "Gold check", practice: "Practice", audit: "Audit" };

/** All votes on a question in order; changed votes are struck through. */
export function Votes({ task, project }: { task: TaskDetail; project: number }) {
  if (task.votes.length === 0) return <p class="soft">No votes yet.</p>;
  const struck = amendedVotes(task.votes);
  const after = posteriorAfterVotes(task.path);
  return (
    <Scroller label={`Votes on ${task.question}`}>
      <table class="table">
        <thead>
          <tr>
            <th class="number">No.</th>
            <th>Voter</th>
            <th>Answer</th>
            <th>Label after vote</th>
            <th class="number">Time</th>
            <th>When</th>
            <th>Note</th>
          </tr>
        </thead>
        <tbody>
          {task.votes.map((vote) => (
            <tr key={vote.id} class={struck.has(vote.id) ? "struck" : undefined}>
              <td class="number">{after.get(vote.id)?.number ?? ""}</td>
              <td>
                <Voter vote={vote} project={project} />
              </td>
              <td>{vote.label ?? ANSWER_KINDS[vote.said] ?? "–"}</td>
              <td class="soft">{posteriorText(after.get(vote.id), struck.has(vote.id))}</td>
              <td class="number">{vote.seconds === null ? "–" : seconds(vote.seconds)}</td>
              <td>{moment(vote.given_at)}</td>
              <td>{[PURPOSES[vote.purpose], vote.note].filter(Boolean).join(": ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function Voter({ vote, project }: { vote: VoteRecord; project: number }) {
  return (
    <span class="row">
      <a href={`/projects/${project}/workers/${vote.voter_id}`}>{vote.voter}</a>
      {vote.kind === "expert" && <span class="soft small">Expert</span>}
    </span>
  );
}

function posteriorText(after: { name: string; share: number } | undefined, struck: boolean): string {
  if (after) return `${after.name} (${formatProbability(after.share)})`;
  return struck ? "Changed later" : "Not counted";
}

/** The history of decisions. */
export function History({ task }: { task: TaskDetail }) {
  if (task.decisions.length === 0) return null;
  return (
    <details class="history">
      <summary>Decision history ({task.decisions.length})</summary>
      <ol class="stack small">
        {[...task.decisions].reverse().map((decision) => (
          <li key={`${decision.made_at} ${decision.status} ${decision.label}`}>
            <span class="soft">{moment(decision.made_at)}</span> {STATUS_NAMES[decision.status] ?? decision.status}
            {decision.label && `: ${decision.label}`}
            {decision.confidence !== null && ` (${formatProbability(decision.confidence)} confidence)`}, with{" "}
            {decision.n_votes} {decision.n_votes === 1 ? "vote" : "votes"}.{" "}
            {decision.reason && <span class="soft">{decision.reason}</span>}
          </li>
        ))}
      </ol>
    </details>
  );
}
