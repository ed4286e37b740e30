import { useLoaded, type Worker } from "../../api";
import { percent } from "../../ui/format";
import { LIKELY_GUESSING, mayVote, spamBadge } from "../workers/badge-text";
import { plural } from "./steps";

/** Warns about workers who likely guess at random; empty if there are none. */
export function SpamWarning({ project }: { project: number }) {
  const { data } = useLoaded<Worker[]>(`/api/projects/${project}/workers?limit=1000`);
  const sentence = spamSentence(data ?? []);
  if (!sentence) return null;
  return (
    <p class="small">
      {sentence} <a href={`/projects/${project}/workers?sort=-spam`}>Review workers</a>
    </p>
  );
}

type Judged = Pick<Worker, "state" | "spam" | "skill" | "votes">;

/** Describes how many workers likely guess and their share of the votes; blocked workers do not count. */
export function spamSentence(workers: Judged[]): string | null {
  const counted = workers.filter((worker) => mayVote(worker.state));
  const guessers = counted.filter((worker) => spamBadge(worker)?.words === LIKELY_GUESSING);
  if (!guessers.length) return null;
  const sum = (some: Judged[]) => some.reduce((votes, worker) => votes + worker.votes, 0);
  const share = percent(sum(guessers) / Math.max(sum(counted), 1));
  return `${plural(guessers.length, "worker")} likely ${guessers.length === 1 ? "guesses" : "guess"} at random (${share} of votes).`;
}
