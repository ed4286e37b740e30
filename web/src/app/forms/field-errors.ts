import { Problem, type ProjectSettings, type Question } from "../../api";
import { LIMITS } from "../../api/constants";
import { limitErrors } from "./limits";

/** Messages by the path of the setting: {"questions.0.text": "Enter the question."}; "" for all settings together. */
export type Faults = Record<string, string>;

const ADDRESS = /^https?:\/\/\S+$/;
const COMPLETION_URL = new RegExp(LIMITS["door.completion_url"].pattern);
const FRAME = new RegExp(LIMITS["door.frames.*"].pattern);

/** Find the settings that the service would refuse, or that a worker could not work with. */
export function faultsOf(settings: ProjectSettings): Faults {
  const faults: Faults = {};
  if (!settings.name.trim()) faults.name = "Enter a name for the project.";
  settings.questions.forEach((question, index) => {
    addQuestion(faults, question, `questions.${index}`, settings);
  });
  if (!("crowd" in settings.prices.votes)) faults["prices.votes.crowd"] = "Enter a number.";
  addConsent(faults, settings);
  addDoor(faults, settings);
  if (settings.learner.name === "http" && !ADDRESS.test(settings.learner.url ?? ""))
    faults["learner.url"] = "Enter the address of your model, such as https://example.org/classify.";
  for (const [path, message] of Object.entries(limitErrors(settings))) faults[path] ??= message;
  return faults;
}

function addQuestion(faults: Faults, question: Question, path: string, settings: ProjectSettings): void {
  if (!question.text.trim()) faults[`${path}.text`] = "Enter the question.";
  if (!question.name.trim()) faults[`${path}.name`] = "Enter a short name.";
  else if (settings.questions.filter((other) => other.name.trim() === question.name.trim()).length > 1)
    faults[`${path}.name`] = "This name is already used.";
  const { minItems } = LIMITS["questions.*.classes"];
  if (question.classes.length < minItems) faults[`${path}.classes`] = `Add at least ${minItems} answers.`;
  const names = question.classes.map((spec) => spec.name.trim());
  const keys = question.classes.map((spec) => spec.key?.toLowerCase() ?? "");
  question.classes.forEach((_, index) => {
    const at = `${path}.classes.${index}`;
    if (!names[index]) faults[`${at}.name`] = "Enter a name for this answer, or remove it.";
    else if (names.indexOf(names[index]) < index) faults[`${at}.name`] = "This answer is already listed.";
    if (keys[index] && keys.indexOf(keys[index]) < index) faults[`${at}.key`] = "This key is already used.";
  });
}

function addConsent(faults: Faults, { consent }: ProjectSettings): void {
  if (consent === null) return;
  if (consent.url !== null && !ADDRESS.test(consent.url))
    faults["consent.url"] = "Enter an address that starts with https://.";
  if (consent.url === null && !consent.text.trim()) faults["consent.text"] = "Enter the consent text.";
  if (!consent.version.trim()) faults["consent.version"] = "Enter a version, such as 1.";
}

function addDoor(faults: Faults, { door }: ProjectSettings): void {
  const { completion_url: url, worker_parameter: worker, session_parameter: session } = door;
  if (url !== null && !COMPLETION_URL.test(url))
    faults["door.completion_url"] = "Enter an address such as https://example.org/done?code={code}.";
  if (!worker.trim()) faults["door.worker_parameter"] = "Enter the name of the parameter with the worker's ID.";
  if (!session.trim()) faults["door.session_parameter"] = "Enter a name, even if the panel does not send a session.";
  if (door.frames.map((line) => line.trim()).some((line) => line !== "" && !FRAME.test(line)))
    faults["door.frames"] = "Enter one site per line, such as https://worker.mturk.com, without a path.";
  if (worker === session || worker === "sig" || session === "sig")
    faults["door.session_parameter"] = "The two names must be different, and neither may be sig, which is reserved.";
}

/** The messages of a response that refuses settings, by setting; the whole message if it names none. */
export function faultsOfRefusal(error: Error): Faults {
  const fields = error instanceof Problem ? error.fields : {};
  return Object.keys(fields).length > 0 ? fields : { "": error.message };
}

/** Whether a path is one of these settings or a part of one: workers.batch is a part of workers. */
export function isWithin(path: string, settings: string[]): boolean {
  return settings.some((setting) => path === setting || path.startsWith(`${setting}.`));
}
