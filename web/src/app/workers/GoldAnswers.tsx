import type { WorkerDetail } from "../../api";
import { Card, Scroller } from "../../ui";
import { moment } from "../../ui/format";

const MOST_SHOWN = 200;

/** The gold checks of a worker; incorrect answers come first. */
export function GoldAnswers({ worker, project }: { worker: WorkerDetail; project: number }) {
  const wrong = worker.gold.filter((answer) => answer.said !== null && answer.said !== answer.known);
  const left = worker.gold.filter((answer) => answer.said === null); // neither right nor wrong
  const right = worker.gold.filter((answer) => answer.said === answer.known);
  return (
    <Card title="Gold checks">
      {worker.gold.length === 0 ? (
        <p class="soft">No gold checks yet.</p>
      ) : (
        <>
          <p>
            {wrong.length === 0
              ? `${right.length} correct, none incorrect.`
              : `${wrong.length} incorrect, ${right.length} correct. Incorrect answers come first.`}
          </p>
          <Scroller label="Gold checks">
            <table class="table">
              <thead>
                <tr>
                  <th>Item</th>
                  <th>Question</th>
                  <th>Answer</th>
                  <th>Gold label</th>
                  <th>When</th>
                </tr>
              </thead>
              <tbody>
                {[...wrong, ...right, ...left].slice(0, MOST_SHOWN).map((answer) => (
                  <tr key={`${answer.item_id} ${answer.question} ${answer.at}`}>
                    <td>
                      <a href={`/projects/${project}/items/${answer.item_id}`}>{answer.key}</a>
                    </td>
                    <td>{answer.question}</td>
                    <td class={wrong.includes(answer) ? "mistaken" : undefined}>
                      {answer.said ?? "Skipped or unsure"}
                    </td>
                    <td>{answer.known}</td>
                    <td>{moment(answer.at)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroller>
        </>
      )}
    </Card>
  );
}
