import { useLoaded, type Worker } from "../../api";
import { percent } from "../../ui/format";
import { LIKELY_GUESSING, mayVote, spamOf } from "../workers/words";
import { things } from "./steps";

/** Says so where workers likely guess, and what they weigh; nothing where none does. */
export function Guessers({ project }: { project: number }) {
  const { data } = useLoaded<Worker[]>(`/api/projects/${project}/workers?limit=1000`);
  const told = guessersTold(data ?? []);
  if (!told) return null;
  return (
    <p class="small">
      {told} <a href={`/projects/${project}/workers?sort=-spam`}>Look at the workers</a>
    </p>
  );
}

type Judged = Pick<Worker, "state" | "spam" | "skill" | "votes">;

/** How many workers likely guess, and the share of the votes that are theirs; those who are blocked do not count. */
export function guessersTold(workers: Judged[]): string | null {
  const counted = workers.filter((one) => mayVote(one.state));
  const guessers = counted.filter((one) => spamOf(one)?.words === LIKELY_GUESSING);
  if (!guessers.length) return null;
  const sum = (some: Judged[]) => some.reduce((votes, one) => votes + one.votes, 0);
  const share = percent(sum(guessers) / Math.max(sum(counted), 1));
  return `${things(guessers.length, "worker")} likely ${guessers.length === 1 ? "guesses" : "guess"}: ${share} of the votes.`;
}
