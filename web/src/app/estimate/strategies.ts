import type { Band, Estimate, Strategy } from "../../api";

/** A strategy, summed over all questions. */
export interface Row extends Strategy {
  key: string;
  name: string;
  what: string;
}

const STRATEGIES: [key: string, name: string, what: string][] = [
  [
    "engine",
    "Quorate",
    "Requests another vote only where it is worth its price; the classifier decides the items it is confident about.",
  ],
  ["crowd_only", "Crowd only", "The same without the classifier: every label comes from people."],
  ["fixed_3", "3 votes per item", "Three people vote on every item; the majority decides."],
  ["fixed_5", "5 votes per item", "Five people vote on every item; the majority decides."],
  [
    "machine_only",
    "Classifier only",
    "The current classifier decides all remaining items; no more votes are requested.",
  ],
];

/** Returns the strategies that every question has, Quorate first. */
export function rowsOf(estimate: Estimate): Row[] {
  const questions = Object.values(estimate.questions);
  return STRATEGIES.flatMap(([key, name, what]) => {
    const strategies = questions
      .map((question) => question.strategies[key])
      .filter((strategy) => strategy !== undefined);
    return strategies.length && strategies.length === questions.length
      ? [{ key, name, what, ...sumStrategies(strategies) }]
      : [];
  });
}

function sumStrategies(strategies: Strategy[]): Strategy {
  return {
    votes: sum(strategies.map((strategy) => strategy.votes)),
    spend: sum(strategies.map((strategy) => strategy.spend)),
    days: ifAll(
      strategies.map((strategy) => strategy.days),
      slowest,
    ),
    errors: ifAll(
      strategies.map((strategy) => strategy.errors),
      sum,
    ),
  };
}

function ifAll(bands: (Band | null)[], join: (bands: Band[]) => Band): Band | null {
  const available = bands.filter((band) => band !== null);
  return available.length === bands.length ? join(available) : null;
}

function sum(bands: Band[]): Band {
  return combine(bands, (values) => values.reduce((all, value) => all + value, 0));
}

/** Questions are voted on in parallel, so the slowest one decides. */
function slowest(bands: Band[]): Band {
  return combine(bands, (values) => Math.max(...values));
}

function combine(bands: Band[], join: (values: number[]) => number): Band {
  const of = (name: keyof Band) => join(bands.map((band) => band[name]));
  return { value: of("value"), low: of("low"), high: of("high") };
}

export function itemsLeft(estimate: Estimate): number {
  return Math.max(0, ...Object.values(estimate.questions).map((question) => question.items_left));
}

/** Describes the saving against a fixed number of votes: "41% less than 5 votes per item"; null without a saving. */
export function savingSentence(rows: Row[]): string | null {
  const [own, other] = ["engine", "fixed_5"].map((key) => rows.find((row) => row.key === key)?.spend.value);
  if (own === undefined || !other || own >= other) return null;
  return `${Math.round(100 * (1 - own / other))}% less than 5 votes per item`;
}
