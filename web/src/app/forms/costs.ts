import type { ProjectSettings } from "../../api";

/** Costs of errors, as numbers of crowd votes. */
export interface CostsInVotes {
  /** even: the same for every error; by answer: by the wrong answer; own: a matrix that this form cannot express. */
  mode: "even" | "by answer" | "own";
  /** One number per wrong answer; a single number if all are equal. */
  votes: number[];
}

type Costs = ProjectSettings["costs"];

/** Returns the price of a crowd vote, the unit of costs; 1 if votes are free or the price is not a number. */
export function votePrice(settings: ProjectSettings): number {
  const price = settings.prices.votes.crowd ?? 0;
  return Number.isFinite(price) && price > 0 ? price : 1;
}

/** Returns the names of the errors, by answer. */
export function errorNames(settings: ProjectSettings): string[] {
  if (settings.kind === "screening") return ["Wrongly excluded item", "Wrongly included item"];
  return (settings.questions[0]?.classes ?? []).map((spec, index) => `Wrong “${spec.name || `answer ${index + 1}`}”`);
}

export function costsInVotes(settings: ProjectSettings): CostsInVotes {
  const { error, matrix } = settings.costs;
  const unit = votePrice(settings);
  if (matrix === null) return { mode: "even", votes: [roundOff(error / unit)] };
  const columns = matrix.map((_, label) => matrix.flatMap((row, truth) => (truth === label ? [] : [row[label] ?? 0])));
  const plain = columns.every((costs) => costs.every((cost) => cost === costs[0]));
  const right = matrix.every((row, truth) => row[truth] === 0);
  if (!plain || !right) return { mode: "own", votes: [] };
  return { mode: "by answer", votes: columns.map((costs) => roundOff((costs[0] ?? 0) / unit)) };
}

/** Returns the costs as the service stores them: one number, or matrix[true][label]. */
export function toCosts(words: CostsInVotes, settings: ProjectSettings): Costs {
  const { costs } = settings;
  const unit = votePrice(settings);
  if (words.mode === "own") return costs;
  if (words.mode === "even") return { ...costs, error: roundOff((words.votes[0] ?? Number.NaN) * unit), matrix: null };
  const matrix = words.votes.map((_, truth) =>
    words.votes.map((votes, label) => (truth === label ? 0 : roundOff(votes * unit))),
  );
  return { ...costs, matrix };
}

/** Returns the costs in another mode, starting from the current ones. */
export function withMode(how: "even" | "by answer", settings: ProjectSettings): CostsInVotes {
  const now = costsInVotes(settings);
  const first = now.votes[0] ?? roundOff(settings.costs.error / votePrice(settings));
  return how === "even" ? { mode: how, votes: [first] } : { mode: how, votes: errorNames(settings).map(() => first) };
}

/** Returns another price of a crowd vote, with errors that still cost as many votes as before. */
export function withCrowdPrice(settings: ProjectSettings, price: number): Pick<ProjectSettings, "prices" | "costs"> {
  const prices = { ...settings.prices, votes: { ...settings.prices.votes, crowd: price } };
  const priced = { ...settings, prices };
  const costs = toCosts(costsInVotes(settings), priced);
  const { unclassifiable } = costs;
  const votes = unclassifiable === null ? null : unclassifiable / votePrice(settings);
  return { prices, costs: { ...costs, unclassifiable: votes === null ? null : roundOff(votes * votePrice(priced)) } };
}

/** Returns a matrix that fits the number of answers; new answers cost as much as the first one. */
export function resizeCosts(settings: ProjectSettings): Costs {
  const n = settings.kind === "screening" ? 2 : (settings.questions[0]?.classes.length ?? 2);
  const { costs } = settings;
  if (costs.matrix === null || costs.matrix.length === n) return costs;
  const words = costsInVotes(settings);
  if (words.mode === "own") return { ...costs, matrix: null };
  const votes = Array.from({ length: n }, (_, index) => words.votes[index] ?? words.votes[0] ?? 1);
  return toCosts({ mode: "by answer", votes }, settings);
}

/** Removes rounding errors of decimal products: 0.05 * 3 is 0.15. */
function roundOff(value: number): number {
  return Number(value.toPrecision(10));
}
