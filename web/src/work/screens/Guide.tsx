import type { Question, Visit } from "../../api/types";
import { keyName } from "../text";

interface Props {
  visit: Visit;
  question: Question;
  keys: (string | null)[];
}

/** The answers with definitions and examples, and the instructions. */
export function Guide({ visit, question, keys }: Props) {
  const instructions = <p class="plain">{visit.instructions}</p>;
  if (!explains(question) && visit.instructions) return instructions;
  return (
    <div class="stack guide">
      <Classes question={question} keys={keys} />
      {visit.instructions && (
        <details>
          <summary>Instructions</summary>
          {instructions}
        </details>
      )}
    </div>
  );
}

export function Classes({ question, keys }: Omit<Props, "visit">) {
  return (
    <dl class="meanings">
      {question.classes.map((spec, index) => (
        <div key={spec.name}>
          <dt>
            {keys[index] && keys[index] !== spec.name.toLowerCase() && <kbd>{keyName(keys[index])}</kbd>} {spec.name}
          </dt>
          {spec.definition && <dd>{spec.definition}</dd>}
          {spec.examples.length > 0 && (
            <dd class="soft">
              <span>Examples:</span>
              <ul>
                {spec.examples.map((example) => (
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

/** Returns the title of the guide; empty if there is nothing in it. */
export function guideTitle(visit: Visit): string {
  return visit.questions.some(explains) ? "Answer guide" : visit.instructions && "Instructions";
}

/** Returns whether a question has definitions or examples. */
export function explains(question: Question): boolean {
  return question.classes.some((spec) => spec.definition || spec.examples.length);
}
