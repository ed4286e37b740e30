import type { LearnerName } from "../../api";

/** The policies that the form offers; others, set through the API, are shown by name. */
export const POLICY_NAMES: Record<string, string> = {
  expected_loss: "Expected loss: request a vote wherever it is worth its price",
  crowd_only: "Expected loss without the classifier",
  fixed_votes: "Fixed number of votes per item",
  first_agreeing: "Stop when enough votes agree",
  machine_only: "Classifier only",
};

export const LEARNER_NAMES: Record<LearnerName, string> = {
  linear: "Linear: fast; for texts, numbers and small images",
  network: "Small neural network",
  none: "None: people decide every item",
  http: "Your own model, by URL",
};

export interface PolicyOption {
  name: string;
  label: string;
  defaultValue: number;
}

export const POLICY_OPTIONS: Record<string, PolicyOption[]> = {
  fixed_votes: [{ name: "n", label: "Votes per item", defaultValue: 3 }],
  first_agreeing: [
    { name: "agree", label: "Required agreeing votes", defaultValue: 3 },
    { name: "most", label: "Maximum votes", defaultValue: 5 },
  ],
};
