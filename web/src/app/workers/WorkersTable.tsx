import type { Project, Worker } from "../../api";
import { Scroller } from "../../ui";
import { ago, count, money, percent, seconds } from "../../ui/format";
import { Accuracy } from "./Accuracy";
import { SpamBadge, StateBadge } from "./Badges";
import { Blocking } from "./Blocking";
import type { Column, Order } from "./sorting";

const HEAD: [by: Column, words: string, number: boolean][] = [
  ["code", "Worker", false],
  ["state", "State", false],
  ["votes", "Votes", true],
  ["accuracy", "Accuracy on gold", false],
  ["skill", "Skill", true],
  ["seconds", "Time per vote", true],
  ["spam", "Spam", false],
  ["due", "Pay due", true],
  ["seen_at", "Last seen", true],
];

interface Props {
  workers: Worker[];
  project: Project;
  order: Order;
  onOrder: (by: Column) => void;
  mayAct: boolean;
  onChanged: () => void;
}

/** The table of workers; column headers sort it. */
export function WorkersTable({ workers, order, onOrder, mayAct, ...rest }: Props) {
  return (
    <Scroller label="Workers">
      <table class="table workers">
        <thead>
          <tr>
            {HEAD.map(([by, words, number]) => (
              <th key={by} class={number ? "number" : undefined} aria-sort={sortOf(order, by)}>
                <button type="button" class="sort" onClick={() => onOrder(by)}>
                  {words}
                  <span aria-hidden="true">{order.by === by ? (order.down ? " ↓" : " ↑") : ""}</span>
                </button>
              </th>
            ))}
            {mayAct && (
              <th>
                <span class="unseen">Block</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <Row key={worker.id} worker={worker} mayAct={mayAct} {...rest} />
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function sortOf(order: Order, by: Column): "ascending" | "descending" | undefined {
  return order.by === by ? (order.down ? "descending" : "ascending") : undefined;
}

type RowProps = Pick<Props, "project" | "mayAct" | "onChanged"> & { worker: Worker };

function Row({ worker, project, mayAct, onChanged }: RowProps) {
  return (
    <tr>
      <td>
        <a href={`/projects/${project.id}/workers/${worker.id}`}>{worker.code}</a>
        {worker.kind === "expert" && <span class="soft small"> Expert</span>}
      </td>
      <td>
        <StateBadge worker={worker} project={project.state} />
      </td>
      <td class="number">{count(worker.votes)}</td>
      <td>
        <Accuracy worker={worker} />
      </td>
      <td class="number">{worker.skill ? percent(worker.skill.value) : "–"}</td>
      <td class="number">{worker.seconds === null ? "–" : seconds(worker.seconds)}</td>
      <td>
        <SpamBadge worker={worker} />
      </td>
      <td class="number">{money(worker.due, project.settings.currency)}</td>
      <td class="number">{ago(worker.seen_at)}</td>
      {mayAct && (
        <td>
          <Blocking worker={worker} project={project.id} onDone={onChanged} />
        </td>
      )}
    </tr>
  );
}
