import type { ProjectSettings, Question } from "../../api";

/** What is wrong, by where: {"questions.0.text": "Ask something."}. */
export type Faults = Record<string, string>;

const ADDRESS = /^https?:\/\/\S+$/;

type Rule = [path: string, value: number | null | undefined, least: number, most: number];

/** What the service would refuse, told before it is asked, and what a worker could not work with. */
export function faultsOf(settings: ProjectSettings): Faults {
  const found: Faults = {};
  if (!settings.name.trim()) found.name = "Give the project a name.";
  settings.questions.forEach((one, place) => {
    addQuestion(found, one, `questions.${place}`, settings);
  });
  for (const [path, value, least, most] of rules(settings)) {
    const wrong = numberFault(value, least, most);
    if (wrong) found[path] = wrong;
  }
  addConsent(found, settings);
  addDoor(found, settings);
  if (settings.learner.name === "http" && !ADDRESS.test(settings.learner.url ?? ""))
    found["learner.url"] = "Give the address where your model answers, such as https://example.org/classify.";
  return found;
}

function addQuestion(found: Faults, one: Question, path: string, settings: ProjectSettings): void {
  if (!one.text.trim()) found[`${path}.text`] = "Say what workers are asked.";
  if (!one.name.trim()) found[`${path}.name`] = "Give it a short name.";
  else if (settings.questions.filter((other) => other.name.trim() === one.name.trim()).length > 1)
    found[`${path}.name`] = "Another one has this name already.";
  if (one.classes.length < 2) found[`${path}.classes`] = "There must be two answers or more.";
  const names = one.classes.map((each) => each.name.trim());
  const keys = one.classes.map((each) => each.key?.toLowerCase() ?? "");
  one.classes.forEach((_, place) => {
    const at = `${path}.classes.${place}`;
    if (!names[place]) found[`${at}.name`] = "Name this answer, or remove it.";
    else if (names.indexOf(names[place]) < place) found[`${at}.name`] = "This answer is there already.";
    if (keys[place] && keys.indexOf(keys[place]) < place) found[`${at}.key`] = "This key is taken.";
  });
}

function rules(settings: ProjectSettings): Rule[] {
  const { workers, pilot, costs, prices } = settings;
  const money = 1e9;
  const many = 1e9;
  return [
    ["prices.votes.crowd", prices.votes.crowd, 0, money],
    ...("expert" in prices.votes ? [["prices.votes.expert", prices.votes.expert, 0, money] as Rule] : []),
    ["prices.platform_fee", prices.platform_fee, 0, 1],
    ["prices.machine", prices.machine, 0, money],
    ["costs.error", costs.error, 0, money],
    ...(costs.matrix ?? []).flatMap((row, truth) =>
      row.map((cost, said): Rule => [`costs.matrix.${truth}.${said}`, cost, 0, money]),
    ),
    ["workers.practice", workers.practice, 0, 1000],
    ["workers.gold_share", workers.gold_share, 0, 1],
    ["workers.minimum_accuracy", workers.minimum_accuracy, 0, 1],
    ["workers.checks", workers.checks, 1, 1000],
    ["workers.maximum_votes", workers.maximum_votes ?? 1, 1, many],
    ["workers.batch", workers.batch, 1, 50],
    ["workers.lease_seconds", workers.lease_seconds, 5, 86_400],
    ["workers.amend_seconds", workers.amend_seconds, 0, 86_400],
    ["votes_per_item", settings.votes_per_item, 1, 1000],
    ["audit_share", settings.audit_share, 0, 1],
    ["pilot.items", pilot.items, 1, many],
    ["pilot.budget", pilot.budget ?? 0, 0, money],
    ["budget", settings.budget ?? 0, 0, money],
    ["costs.unclassifiable", costs.unclassifiable ?? 0, 0, money],
  ];
}

/** Shares are shown in per cent, so that is how their ends are told. */
function numberFault(value: number | null | undefined, least: number, most: number): string | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return "A number is needed here.";
  if (value >= least && value <= most) return null;
  if (most === 1) return "It must be from 0 to 100 %.";
  return most >= 1e9 ? `It must be ${least} or more.` : `It must be from ${least} to ${most.toLocaleString("en")}.`;
}

function addConsent(found: Faults, { consent }: ProjectSettings): void {
  if (consent === null) return;
  if (consent.url !== null && !ADDRESS.test(consent.url))
    found["consent.url"] = "Give an address that begins with https://.";
  if (consent.url === null && !consent.text.trim()) found["consent.text"] = "Write what workers agree to.";
  if (!consent.version.trim()) found["consent.version"] = "Give this version a name, such as 1.";
}

function addDoor(found: Faults, { door }: ProjectSettings): void {
  const { completion_url: url, worker_parameter: worker, session_parameter: session } = door;
  if (url !== null && !/^https?:\/\/[^/?#\s{}]+([/?#]\S*)?$/.test(url))
    found["door.completion_url"] = "Give an address such as https://example.org/done?code={code}.";
  if (!worker.trim()) found["door.worker_parameter"] = "The panel must say who comes: name the parameter.";
  if (!session.trim()) found["door.session_parameter"] = "Name the parameter, even if the panel leaves it out.";
  if (door.frames.some((line) => !/^(https?:\/\/[a-z0-9.-]+(:\d{1,5})?)?$/.test(line.trim())))
    found["door.frames"] = "Give sites such as https://worker.mturk.com, one in a line, with nothing behind them.";
  if (worker === session || worker === "sig" || session === "sig")
    found["door.session_parameter"] = "The parameters must differ from each other and from sig, the signature.";
}

/** A refusal of the service, by where it belongs: "body.workers.batch: Input should be ..." -> workers.batch. */
export function placed(message: string): Faults {
  const found: Faults = {};
  for (const part of message.split("; ")) {
    const [, path, said] = /^body\.?([\w.-]*): (.+)$/s.exec(part) ?? [null, "", part];
    found[path ?? ""] ??= said ?? part;
  }
  return found;
}

/** Whether a fault lies in one of these parts: "workers" holds workers.batch. */
export function liesIn(path: string, parts: string[]): boolean {
  return parts.some((part) => path === part || path.startsWith(`${part}.`));
}
