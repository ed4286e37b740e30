import type { ClassSpec, ProjectSettings, Question } from "../../api";

/** A class with nothing but its name. */
export function classOf(name: string): ClassSpec {
  return { name, definition: "", examples: [], key: null };
}

/** A criterion of screening, to be filled in: yes and no, of which yes means that it holds. */
export function newCriterion(): Question {
  return { name: "", text: "", classes: [classOf("Yes"), classOf("No")], holds: "Yes" };
}

function newQuestion(): Question {
  return { name: "label", text: "", classes: [classOf(""), classOf("")], holds: null };
}

/** Settings to begin with. What is not chosen for newcomers is what the service takes where nothing is said. */
export function newSettings(): ProjectSettings {
  return {
    name: "",
    kind: "single",
    questions: [newQuestion()],
    instructions: "",
    consent: null,
    costs: { error: 2.5, matrix: null, unclassifiable: null },
    prices: { votes: { crowd: 0.05, expert: 0.5 }, machine: 0, platform_fee: 0 },
    currency: "EUR",
    budget: null,
    rest: "cheapest",
    policy: { name: "expected_loss", options: {} },
    learner: { name: "linear", url: null },
    workers: {
      practice: 0,
      gold_share: 0,
      minimum_accuracy: 0,
      checks: 5,
      maximum_votes: null,
      batch: 5,
      lease_seconds: 120,
      amend_seconds: 600,
    },
    votes_per_item: 15,
    audit_share: 0.02,
    pilot: { items: 100, budget: null },
    endless: false,
    door: {
      platform: "panel",
      worker_parameter: "worker",
      session_parameter: "session",
      signed: true,
      completion_url: null,
      code_done: "DONE",
      code_failed: "CHECKS",
      code_no_work: "NOWORK",
      frames: [],
    },
  };
}

/** The door as Prolific wants it: it names its people so, cannot sign, and takes them back by a code. */
export const PROLIFIC: Partial<ProjectSettings["door"]> = {
  platform: "prolific",
  worker_parameter: "PROLIFIC_PID",
  session_parameter: "SESSION_ID",
  signed: false,
  completion_url: "https://app.prolific.com/submissions/complete?cc={code}",
  frames: [],
};

/** The door as MTurk wants it: it shows the work in a frame of its own, cannot sign, and is sent a form at the end. */
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
