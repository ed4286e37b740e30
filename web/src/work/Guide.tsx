import type { Question, Visit } from "../api/types";
import { keyName } from "./words";

interface Props {
  visit: Visit;
  question: Question;
  keys: (string | null)[];
}

/** What the answers mean, with examples, and what was asked of the voter at the start. */
export function Guide({ visit, question, keys }: Props) {
  const told = <p class="plain">{visit.instructions}</p>;
  if (!explains(question) && visit.instructions) return told;
  return (
    <div class="stack guide">
      <Classes question={question} keys={keys} />
      {visit.instructions && (
        <details>
          <summary>Instructions</summary>
          {told}
        </details>
      )}
    </div>
  );
}

export function Classes({ question, keys }: Omit<Props, "visit">) {
  return (
    <dl class="meanings">
      {question.classes.map((one, place) => (
        <div key={one.name}>
          <dt>
            {keys[place] && keys[place] !== one.name.toLowerCase() && <kbd>{keyName(keys[place])}</kbd>} {one.name}
          </dt>
          {one.definition && <dd>{one.definition}</dd>}
          {one.examples.length > 0 && (
            <dd class="soft">
              <span>For example:</span>
              <ul>
                {one.examples.map((example) => (
                  <li key={example}>{example}</li>
                ))}
              </ul>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** What the guide is called; empty where there is nothing in it. */
export function guideTitle(visit: Visit): string {
  return visit.questions.some(explains) ? "What the answers mean" : visit.instructions && "Instructions";
}

/** Whether there is anything to explain. */
export function explains(question: Question): boolean {
  return question.classes.some((one) => one.definition || one.examples.length);
}
