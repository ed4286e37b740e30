import type { ProjectSettings } from "../../api";

/** What errors cost, told as numbers of votes of the crowd. */
export interface CostWords {
  /** even: every error alike; by answer: by what was wrongly said; own: a matrix that these words cannot tell. */
  how: "even" | "by answer" | "own";
  /** By answer that was wrongly given; one number where all are alike. */
  each: number[];
}

type Costs = ProjectSettings["costs"];

/** The price by which costs are counted; where votes are free, or their price is half typed, costs count by themselves. */
export function unitOf(settings: ProjectSettings): number {
  const price = settings.prices.votes.crowd ?? 0;
  return Number.isFinite(price) && price > 0 ? price : 1;
}

/** What can go wrong, in words, by answer. */
export function errorsOf(settings: ProjectSettings): string[] {
  if (settings.kind === "screening") return ["An item wrongly left out", "An item wrongly kept"];
  return (settings.questions[0]?.classes ?? []).map((one, place) => `A wrong “${one.name || `answer ${place + 1}`}”`);
}

export function costWords(settings: ProjectSettings): CostWords {
  const { error, matrix } = settings.costs;
  const unit = unitOf(settings);
  if (matrix === null) return { how: "even", each: [rounded(error / unit)] };
  const columns = matrix.map((_, said) => matrix.flatMap((row, truth) => (truth === said ? [] : [row[said] ?? 0])));
  const plain = columns.every((costs) => costs.every((one) => one === costs[0]));
  const right = matrix.every((row, truth) => row[truth] === 0);
  if (!plain || !right) return { how: "own", each: [] };
  return { how: "by answer", each: columns.map((costs) => rounded((costs[0] ?? 0) / unit)) };
}

/** The same as the service takes it: one number, or matrix[true][said]. */
export function costsOf(words: CostWords, settings: ProjectSettings): Costs {
  const { costs } = settings;
  const unit = unitOf(settings);
  if (words.how === "own") return costs;
  if (words.how === "even") return { ...costs, error: rounded((words.each[0] ?? Number.NaN) * unit), matrix: null };
  const matrix = words.each.map((_, truth) =>
    words.each.map((votes, said) => (truth === said ? 0 : rounded(votes * unit))),
  );
  return { ...costs, matrix };
}

/** Another way of telling costs, that begins with what is there. */
export function told(how: "even" | "by answer", settings: ProjectSettings): CostWords {
  const now = costWords(settings);
  const first = now.each[0] ?? rounded(settings.costs.error / unitOf(settings));
  return how === "even" ? { how, each: [first] } : { how, each: errorsOf(settings).map(() => first) };
}

/** Another price of a vote, also a half typed one, with errors that cost as many votes as before. */
export function repriced(settings: ProjectSettings, price: number): Pick<ProjectSettings, "prices" | "costs"> {
  const prices = { ...settings.prices, votes: { ...settings.prices.votes, crowd: price } };
  const priced = { ...settings, prices };
  const costs = costsOf(costWords(settings), priced);
  const { unclassifiable } = costs;
  const votes = unclassifiable === null ? null : unclassifiable / unitOf(settings);
  return { prices, costs: { ...costs, unclassifiable: votes === null ? null : rounded(votes * unitOf(priced)) } };
}

/** A matrix must fit the answers: where their number has changed, what is missing costs like the first. */
export function fitted(settings: ProjectSettings): Costs {
  const n = settings.kind === "screening" ? 2 : (settings.questions[0]?.classes.length ?? 2);
  const { costs } = settings;
  if (costs.matrix === null || costs.matrix.length === n) return costs;
  const words = costWords(settings);
  if (words.how === "own") return { ...costs, matrix: null };
  const each = Array.from({ length: n }, (_, place) => words.each[place] ?? words.each[0] ?? 1);
  return costsOf({ how: "by answer", each }, settings);
}

/** Without the dust that products of decimals leave: 0.05 * 3 is 0.15. */
function rounded(value: number): number {
  return Number(value.toPrecision(10));
}
