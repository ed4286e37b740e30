import { useEffect, useState } from "preact/hooks";
import { type ItemDetail, type ItemPage as Page, useLoaded } from "../../api";
import { ItemView } from "../../item/ItemView";
import { Button, ButtonLink, Card, Notice } from "../../ui";
import { useAtMostEvery, useStanding } from "../overview/useOverview";
import type { ProjectProps } from "../ProjectPages";
import { usePlace } from "../router";
import { askedOf, itemAddress, queryOf } from "./filters";
import "./items.css";
import "./item-page.css";
import { neighbours } from "./neighbours";
import { TaskCard } from "./TaskCard";
import { listPath } from "./useItems";

const REST = 3000; // milliseconds between two looks at what changed

type Props = ProjectProps & { item: number };

/** One item: what it is, what was said of it, what is believed, why, and what may be done about it. */
export function ItemPage(props: Props) {
  const { project, item } = props;
  const { data, problem, reload } = useLoaded<ItemDetail>(`/api/projects/${project.id}/items/${item}`);
  useAtMostEvery(REST, useStanding(project.id).changing, reload);
  return (
    <div class="stack">
      <Ways {...props} />
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      {!data && !problem && <p class="loading">Loading…</p>}
      {data && <Detail key={data.id} {...props} loaded={data} />}
    </div>
  );
}

function Detail({ project, session, loaded }: Props & { loaded: ItemDetail }) {
  const [{ item, told }, setShown] = useState<{ item: ItemDetail; told: string | null }>({ item: loaded, told: null });
  useEffect(() => setShown(({ told }) => ({ item: loaded, told })), [loaded]);
  const path = `/api/projects/${project.id}/items/${item.id}`;
  return (
    <div class="item-page">
      <Card title={`Item ${item.key}`}>
        <ItemView item={item} name={item.key} base={`/api/projects/${project.id}/tasks/${item.tasks[0]?.id}`} />
      </Card>
      <div class="stack">
        {told && <Notice kind="good">{told}</Notice>}
        {item.tasks.map((task) => (
          <TaskCard
            key={task.id}
            task={task}
            question={project.settings.questions.find((one) => one.name === task.question)}
            project={project.id}
            currency={project.settings.currency}
            path={path}
            mayAct={session.role === "owner" || session.role === "requester"}
            onDone={(changed, words) => setShown({ item: changed, told: words })}
          />
        ))}
      </div>
    </div>
  );
}

/** Back to the list, and on to the items beside this one in it. */
function Ways({ project, item }: Props) {
  const { query } = usePlace();
  const names = project.settings.questions.map((one) => one.name);
  const first = names[0] ?? "";
  const asked = askedOf(query, names);
  const from = Math.max(0, asked.at - 1);
  const { data } = useLoaded<Page>(query.has("at") ? listPath(project.id, asked, from, 3) : null);
  const { before, after } = neighbours(data?.items ?? [], from, item, asked.at);
  const address = (beside: { id: number; at: number }) =>
    itemAddress(project.id, beside.id, { ...asked, at: beside.at }, first);
  return (
    <nav class="row apart" aria-label="Items beside this one">
      <a href={`/projects/${project.id}/items${queryOf(asked, first)}`}>← Items</a>
      {query.has("at") && (
        <div class="row">
          <Way href={before && address(before)} words="Previous" />
          <Way href={after && address(after)} words="Next" />
        </div>
      )}
    </nav>
  );
}

function Way({ href, words }: { href: string | null; words: string }) {
  if (!href)
    return (
      <Button small disabled>
        {words}
      </Button>
    );
  return (
    <ButtonLink small href={href}>
      {words}
    </ButtonLink>
  );
}
