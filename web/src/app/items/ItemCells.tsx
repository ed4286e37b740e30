// biome-ignore-all lint/a11y: a table cannot be laid out by pixels; the roles say what it is, the list has the focus
import type { ItemRow, TaskSummary } from "../../api";
import { addressOf } from "../../item/ItemView";
import { Badge, Meter } from "../../ui";
import { count } from "../../ui/format";
import { OPEN_STATUSES } from "../../ui/statuses";
import { formatProbability } from "./posterior-path";
import { previewLine } from "./preview";

/** The header of the columns. */
export function HeadCells() {
  return (
    <div role="row" aria-rowindex={1} class="item-cells head">
      {["Item", "Label", "Confidence", "Decided by", "Votes"].map((name) => (
        <span key={name} role="columnheader">
          {name}
        </span>
      ))}
    </div>
  );
}

interface Props {
  item: ItemRow | undefined;
  question: string;
  project: number;
  href: string;
}

/** One row of the list; a placeholder until the item is loaded. */
export function ItemCells({ item, question, project, href }: Props) {
  if (!item) return <Placeholder />;
  const task = item.tasks.find((task) => task.question === question);
  return (
    <div class="item-cells" role="presentation">
      <span role="gridcell" class="what">
        {item.kind === "image" && task && <Thumbnail item={item} base={`/api/projects/${project}/tasks/${task.id}`} />}
        <span class="words">
          <a href={href} tabIndex={-1}>
            {item.key}
          </a>
          <span class="line soft">{previewLine(item)}</span>
        </span>
      </span>
      <span role="gridcell" class={task && OPEN_STATUSES.includes(task.status) ? "label soft" : "label"}>
        {task?.label ?? "–"}
      </span>
      <Confidence task={task} />
      <span role="gridcell" class="by">
        {task && <Badge status={task.status} />}
      </span>
      <span role="gridcell" class="votes number">
        {count(task?.n_votes ?? 0)}
        <span class="only-narrow"> {task?.n_votes === 1 ? "vote" : "votes"}</span>
      </span>
    </div>
  );
}

function Placeholder() {
  return (
    <div class="item-cells waiting" role="presentation">
      <span role="gridcell" aria-busy="true">
        <span class="unseen">Loading</span>
      </span>
    </div>
  );
}

function Confidence({ task }: { task: TaskSummary | undefined }) {
  const sure = task?.confidence ?? null;
  return (
    <span role="gridcell" class="sure">
      {sure === null ? (
        <span class="soft">–</span>
      ) : (
        <>
          <Meter share={sure} />
          <span class="number">{formatProbability(sure)}</span>
        </>
      )}
    </span>
  );
}

function Thumbnail({ item, base }: { item: ItemRow; base: string }) {
  const address = addressOf(item.content, base);
  return address ? <img class="thumb" src={address} alt="" decoding="async" /> : <span class="thumb" />;
}
