/** The policies that a requester may want, in words; others that a program has set are shown by their name. */
export const POLICY_NAMES: Record<string, string> = {
  expected_loss: "Ask wherever a vote is worth its price; the machine helps",
  crowd_only: "The same, but people only",
  fixed_votes: "A fixed number of votes on every item",
  first_agreeing: "Until so many agree",
  machine_only: "The machine alone",
};

export const LEARNER_NAMES: Record<string, string> = {
  linear: "A quick one, for texts and numbers and small images",
  network: "A small neural network",
  none: "None: people decide on everything",
  http: "A model of yours, at an address",
};

export interface PolicyOption {
  name: string;
  label: string;
  defaultValue: number;
}

export const POLICY_OPTIONS: Record<string, PolicyOption[]> = {
  fixed_votes: [{ name: "n", label: "Votes on every item", defaultValue: 3 }],
  first_agreeing: [
    { name: "agree", label: "Votes that must agree", defaultValue: 3 },
    { name: "most", label: "Votes at most", defaultValue: 5 },
  ],
};
