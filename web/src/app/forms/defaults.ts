import type { ClassSpec, ProjectSettings, Question } from "../../api";
import { CLASS_DEFAULTS, PROJECT_DEFAULTS, QUESTION_DEFAULTS } from "../../api/constants";

/** A class with only a name. */
export function classOf(name: string): ClassSpec {
  return { ...structuredClone(CLASS_DEFAULTS), name };
}

/** A criterion of a screening project, to be filled in: the answers are yes and no, and yes means that it holds. */
export function newCriterion(): Question {
  return { name: "", text: "", classes: [classOf("Yes"), classOf("No")], holds: "Yes" };
}

/** A question to be filled in. */
export function newQuestion(text = ""): Question {
  return { ...QUESTION_DEFAULTS, text, classes: [classOf(""), classOf("")] };
}

/** The settings of a new project: the defaults of the service, with prices and costs for a first project. */
export function newSettings(): ProjectSettings {
  const defaults = structuredClone(PROJECT_DEFAULTS);
  return {
    ...defaults,
    name: "",
    questions: [newQuestion()],
    costs: { ...defaults.costs, error: 2.5 },
    prices: { ...defaults.prices, votes: { crowd: 0.05, expert: 0.5 } },
    currency: "EUR",
    audit_share: 0.02,
  };
}

/** Entry from Prolific: it has its own names of parameters, cannot sign, and learns the outcome from a code. */
export const PROLIFIC: Partial<ProjectSettings["door"]> = {
  platform: "prolific",
  worker_parameter: "PROLIFIC_PID",
  session_parameter: "SESSION_ID",
  signed: false,
  completion_url: "https://app.prolific.com/submissions/complete?cc={code}",
  frames: [],
};

/** Entry from MTurk: it shows the work in its own frame, cannot sign, and receives a form at the end. */
export const MTURK: Partial<ProjectSettings["door"]> = {
  platform: "mturk",
  worker_parameter: "workerId",
  session_parameter: "assignmentId",
  signed: false,
  completion_url: null,
  frames: ["worker", "www", "workersandbox", "requester", "requestersandbox"].map(
    (name) => `https://${name}.mturk.com`,
  ),
};
