import { type ItemPage, type ItemRow, useLoaded } from "../../api";
import { addressOf } from "../../item/ItemView";
import { Card, Meter } from "../../ui";
import { itemAddress } from "../items/filters";
import { formatProbability, rankClasses } from "../items/posterior-path";
import { previewLine } from "../items/preview";
import { listPath } from "../items/useItems";

const SHOWN = 12;

/** The most ambiguous items, which often show gaps in the class definitions. */
export function AmbiguousItems({ project, question }: { project: number; question: string }) {
  const query = { filter: "ambiguous", question, search: "" };
  const { data } = useLoaded<ItemPage>(listPath(project, query, 0, SHOWN));
  const all = `/projects/${project}/items?filter=ambiguous&question=${encodeURIComponent(question)}`;
  return (
    <Card title="Most ambiguous items" aside={data && data.items.length > 0 ? <a href={all}>Show all</a> : undefined}>
      {data?.items.length === 0 ? (
        <p class="soft">Not available yet: a few dozen items with votes are needed.</p>
      ) : (
        <>
          <p class="soft">
            Items on which votes and classifier disagree most. More votes may have resolved them since. If you cannot
            decide them either, the class definitions may be unclear.
          </p>
          <ul class="gallery">
            {data?.items.map((item, at) => (
              <li key={item.id}>
                <Ambiguous
                  item={item}
                  question={question}
                  project={project}
                  href={itemAddress(project, item.id, { ...query, at }, "")}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

interface Props {
  item: ItemRow;
  question: string;
  project: number;
  href: string;
}

function Ambiguous({ item, question, project, href }: Props) {
  const task = item.tasks.find((task) => task.question === question);
  const image = item.kind === "image" && task && addressOf(item.content, `/api/projects/${project}/tasks/${task.id}`);
  return (
    <a class="ambiguous" href={href}>
      {image ? <img src={image} alt="" loading="lazy" /> : <span class="words">{previewLine(item) || item.key}</span>}
      <span class="soft small">
        {item.key} · {task?.n_votes ?? 0} {task?.n_votes === 1 ? "vote" : "votes"}
      </span>
      {rankClasses(task?.posterior ?? {})
        .slice(0, 3)
        .map(([name, share]) => (
          <span key={name} class="believed">
            <span class="name">{name}</span>
            <Meter share={share} />
            <span class="number">{formatProbability(share)}</span>
          </span>
        ))}
    </a>
  );
}
