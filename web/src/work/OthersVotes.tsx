import { useEffect, useState } from "preact/hooks";
import type { TaskFeedback as ToldOf } from "../api/types";
import { addressOf } from "../item/address";
import { percent } from "../ui/format";
import { STATUS_NAMES } from "../ui/statuses";
import type { GivenAnswer } from "./session/queue";
import type { WorkService } from "./session/service";
import type { VoterSession } from "./session/voter-session";
import { describeItem, plural } from "./text";

/** Loads the votes of others on the previous item after the expert has answered it. */
export function useOthersVotes(
  service: WorkService,
  session: VoterSession,
  last: GivenAnswer | undefined,
  isExpert: boolean,
): ToldOf | null {
  const [loaded, setLoaded] = useState<{ task: number; loaded: ToldOf } | null>(null);
  const task = last?.lease.task;
  const isIn = isExpert && last !== undefined && last.vote !== null && last.said === "vote";
  useEffect(() => {
    if (!isIn || task === undefined) return;
    let stale = false;
    service.othersVotes(task).then(
      (votes) => {
        if (votes.final) session.reveal(task); // even if the page has moved on: the service has shown them
        if (!stale) setLoaded({ task, loaded: votes });
      },
      () => {},
    );
    return () => {
      stale = true;
    };
  }, [service, session, task, isIn, last?.vote]);
  return loaded && loaded.task === task ? loaded.loaded : null;
}

/** Keeps the space of the votes, so that nothing moves when they appear. */
export function NoAnswerYet() {
  return <p class="soft">Other votes on an item appear here after you answer.</p>;
}

interface Props {
  report: ToldOf;
  last: GivenAnswer;
  base: string;
}

/** The votes of others on the previous item; the work can go on meanwhile. */
export function OthersVotes({ report, last, base }: Props) {
  const { item } = last.lease;
  const others = report.votes.filter((vote) => !vote.mine);
  const names = [
    ...new Set([
      ...Object.keys(report.posterior ?? report.machine ?? {}),
      ...others.flatMap((vote) => vote.label ?? []),
    ]),
  ];
  return (
    <section class="others-votes stack" aria-label="Other votes on the previous item">
      {item.kind === "image" ? (
        <img src={addressOf(item.content, base)} alt={describeItem(last.lease)} draggable={false} />
      ) : (
        <p class="soft clamp">{describeItem(last.lease, 120)}</p>
      )}
      <p>
        You answered <strong>{last.label}</strong>.{" "}
        {others.length ? `${plural(others.length, "other vote")}:` : "No other votes."}
      </p>
      <div class="scroller">
        <table class="table small">
          <thead>
            <tr>
              <th>Answer</th>
              <th class="number">Others</th>
              {report.machine && <th class="number">Classifier</th>}
              {report.posterior && <th class="number">Combined</th>}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="number">{others.filter((vote) => vote.label === name).length}</td>
                {report.machine && <td class="number">{percent(report.machine[name] ?? 0)}</td>}
                {report.posterior && <td class="number">{percent(report.posterior[name] ?? 0)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft small">Status: {STATUS_NAMES[report.status] ?? report.status}</p>
    </section>
  );
}
