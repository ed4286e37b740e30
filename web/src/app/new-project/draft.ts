import type { FilePreview, ItemKind, ProjectSettings } from "../../api";
import { QUESTION_DEFAULTS } from "../../api/constants";
import { classOf, newCriterion, newQuestion, newSettings } from "../forms/defaults";
import { type Faults, faultsOf, isWithin } from "../forms/field-errors";
import { type Columns, inferredColumns, isArchive, missingColumn, NO_COLUMNS } from "./columns";

/** The source of the items. items: counted or estimated; null if unknown. */
export interface Source {
  name: string;
  size: number;
  pasted: boolean;
  items: number | null;
}

/** All entries so far. The file is stored separately. */
export interface Draft {
  source: Source | null;
  looked: FilePreview | null;
  kind: ItemKind;
  columns: Columns;
  /** The column whose values are the answers; known: whether they are gold labels. */
  labels: string | null;
  known: boolean;
  /** The column of gold labels by criterion, for a screening. */
  gold: Record<string, string>;
  settings: ProjectSettings;
  audience: "links" | "panel";
  accuracy: number;
  /** The project once it is created, and the import of its items. */
  made: { project: number; reading: number | null } | null;
}

export const STEPS = ["file", "ask", "people", "money", "check"] as const;
export type Step = (typeof STEPS)[number];

export const STEP_NAMES: Record<Step, string> = {
  file: "Items",
  ask: "Question",
  people: "Workers",
  money: "Budget",
  check: "Review",
};

/** The settings of each step, so that errors are shown where they can be fixed. */
const PARTS: Record<Step, string[]> = {
  file: ["file"],
  ask: ["name", "kind", "questions", "instructions"],
  people: ["prices", "currency", "workers", "consent", "door"],
  money: ["costs", "budget", "pilot", "rest", "policy", "learner", "audit_share", "votes_per_item", "endless"],
  check: [""],
};

export function newDraft(): Draft {
  return {
    source: null,
    looked: null,
    kind: "text",
    columns: NO_COLUMNS,
    labels: null,
    known: false,
    gold: {},
    settings: newSettings(),
    audience: "links",
    accuracy: 0.8,
    made: null,
  };
}

/** Returns a draft with an inspected file: inferred columns, proposed answers and a name. */
export function withFile(draft: Draft, source: Source, looked: FilePreview): Draft {
  const labels = looked.labels[0] ?? null;
  const name = draft.settings.name.trim() ? draft.settings.name : nameFromFile(source.name);
  const begun = { ...draft, source, looked, kind: looked.kind, columns: inferredColumns(looked), gold: {} };
  return withLabels({ ...begun, settings: { ...draft.settings, name } }, labels);
}

/** Returns a draft with another label column: its values become the answers, unless answers were edited. */
export function withLabels(draft: Draft, labels: string | null): Draft {
  const column = draft.looked?.header.find((candidate) => candidate.name === labels);
  const values = column?.values ?? [];
  const { settings } = draft;
  const untouched = settings.questions.every((question) =>
    question.classes.every((spec) => !spec.definition && !spec.examples.length),
  );
  const gold = areLabelsGold(draft, labels);
  if (settings.kind !== "single" || values.length < 2 || !untouched) return withGoldLabels({ ...draft, labels }, gold);
  const question = settings.questions[0] ?? newQuestion();
  const questions = [{ ...question, name: QUESTION_DEFAULTS.name, classes: values.map(classOf) }];
  const costs = { ...settings.costs, matrix: null };
  return withGoldLabels({ ...draft, labels, settings: { ...settings, questions, costs } }, gold);
}

const CHECKED = { practice: 2, gold_share: 0.1, minimum_accuracy: 0.6 };
const UNCHECKED = { practice: 0, gold_share: 0, minimum_accuracy: 0 };

/** Returns a draft with or without gold labels: practice and gold checks need them. */
export function withGoldLabels(draft: Draft, gold: boolean): Draft {
  const { workers } = draft.settings;
  const checked = workers.practice > 0 || workers.gold_share > 0;
  const rules = gold ? (checked ? {} : CHECKED) : UNCHECKED;
  return { ...draft, known: gold, settings: { ...draft.settings, workers: { ...workers, ...rules } } };
}

/** Labels on all rows, or folders of images, only name the answers; labels on some rows are gold. */
function areLabelsGold(draft: Draft, labels: string | null): boolean {
  if (labels === null || !draft.looked || isArchive(draft.looked)) return false;
  const rows = draft.looked.rows;
  return rows.some((row) => row[labels] === null || row[labels] === undefined || row[labels] === "");
}

/** Returns a draft of another task type; entries that fit are kept. */
export function withKind(draft: Draft, kind: "single" | "screening"): Draft {
  const { settings } = draft;
  if (settings.kind === kind) return draft;
  const costs = { ...settings.costs, matrix: null };
  if (kind === "screening") {
    const text = settings.questions[0]?.text ?? "";
    const questions = [{ ...newCriterion(), text }];
    return withGoldLabels({ ...draft, settings: { ...settings, kind, costs, questions } }, false);
  }
  const text = settings.questions[0]?.text ?? "";
  const questions = [newQuestion(text)];
  return withLabels({ ...draft, gold: {}, settings: { ...settings, kind, costs, questions } }, draft.labels);
}

/** Returns a draft with the gold column of a criterion; null removes it. */
export function withGold(draft: Draft, criterion: string, column: string | null): Draft {
  const { [criterion]: _, ...others } = draft.gold;
  const gold = column === null ? others : { ...others, [criterion]: column };
  return withGoldLabels({ ...draft, gold }, Object.keys(gold).length > 0);
}

/** Returns the gold column of each question, as it is sent with the file. */
export function goldColumns(draft: Draft): Record<string, string> {
  if (draft.settings.kind === "screening") {
    const names = draft.settings.questions.map((question) => question.name);
    return Object.fromEntries(Object.entries(draft.gold).filter(([name]) => names.includes(name)));
  }
  const name = draft.settings.questions[0]?.name ?? QUESTION_DEFAULTS.name;
  return draft.labels !== null && draft.known ? { [name]: draft.labels } : {};
}

/** Returns all errors by field. */
export function draftFaults(draft: Draft): Faults {
  const faults = faultsOf(draft.settings);
  if (!draft.source || !draft.looked) return { file: "Choose a file or paste texts.", ...faults };
  const missing = missingColumn(draft.kind, draft.columns, draft.looked);
  return missing ? { "file.columns": missing, ...faults } : faults;
}

/** Returns the errors that a step can fix. */
export function faultsAt(step: Step, faults: Faults): Faults {
  return Object.fromEntries(Object.entries(faults).filter(([path]) => isWithin(path, PARTS[step])));
}

/** Returns the first step with an error; the last step if there is none. */
export function firstFault(faults: Faults): Step {
  return STEPS.find((step) => Object.keys(faultsAt(step, faults)).length > 0) ?? "check";
}

/** Returns a project name from a file name: pet_reviews-2.csv -> Pet reviews 2. */
export function nameFromFile(file: string): string {
  const plain = file
    .replace(/\.[^.]*$/, "")
    .replace(/[_-]+/g, " ")
    .trim();
  return plain ? plain.charAt(0).toUpperCase() + plain.slice(1) : "";
}
