import { useEffect, useState } from "preact/hooks";
import { type ItemDetail, type ItemPage as Page, useLoaded } from "../../api";
import { ItemView } from "../../item/ItemView";
import { Button, ButtonLink, Card, Notice } from "../../ui";
import { useAtMostEvery, useStanding } from "../overview/useOverview";
import type { ProjectProps } from "../ProjectPages";
import { useRoute } from "../router";
import { formatQuery, itemAddress, parseQuery } from "./filters";
import "./items.css";
import "./item-page.css";
import { neighbours } from "./neighbours";
import { TaskCard } from "./TaskCard";
import { listPath } from "./useItems";

const RELOAD_MS = 3000; // milliseconds between two looks at what changed

type Props = ProjectProps & { item: number };

/** One item: what it is, what was said of it, what is believed, why, and what may be done about it. */
export function ItemPage(props: Props) {
  const { project, item } = props;
  const { data, problem, reload } = useLoaded<ItemDetail>(`/api/projects/${project.id}/items/${item}`);
  useAtMostEvery(RELOAD_MS, useStanding(project.id).changing, reload);
  return (
    <div class="stack">
      <ItemNavigation {...props} />
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      {!data && !problem && <p class="loading">Loading…</p>}
      {data && <Detail key={data.id} {...props} loaded={data} />}
    </div>
  );
}

function Detail({ project, session, loaded }: Props & { loaded: ItemDetail }) {
  const [{ item, message }, setShown] = useState<{ item: ItemDetail; message: string | null }>({
    item: loaded,
    message: null,
  });
  useEffect(() => setShown(({ message }) => ({ item: loaded, message })), [loaded]);
  const path = `/api/projects/${project.id}/items/${item.id}`;
  return (
    <div class="item-page">
      <Card title={`Item ${item.key}`}>
        <ItemView item={item} name={item.key} base={`/api/projects/${project.id}/tasks/${item.tasks[0]?.id}`} />
      </Card>
      <div class="stack">
        {message && <Notice kind="good">{message}</Notice>}
        {item.tasks.map((task) => (
          <TaskCard
            key={task.id}
            task={task}
            question={project.settings.questions.find((question) => question.name === task.question)}
            project={project.id}
            currency={project.settings.currency}
            path={path}
            mayAct={session.role === "owner" || session.role === "requester"}
            onDone={(changed, words) => setShown({ item: changed, message: words })}
          />
        ))}
      </div>
    </div>
  );
}

/** Back to the list, and on to the items beside this one in it. */
function ItemNavigation({ project, item }: Props) {
  const { query } = useRoute();
  const names = project.settings.questions.map((question) => question.name);
  const first = names[0] ?? "";
  const itemQuery = parseQuery(query, names);
  const from = Math.max(0, itemQuery.at - 1);
  const { data } = useLoaded<Page>(query.has("at") ? listPath(project.id, itemQuery, from, 3) : null);
  const { before, after } = neighbours(data?.items ?? [], from, item, itemQuery.at);
  const address = (beside: { id: number; at: number }) =>
    itemAddress(project.id, beside.id, { ...itemQuery, at: beside.at }, first);
  return (
    <nav class="row apart" aria-label="Item navigation">
      <a href={`/projects/${project.id}/items${formatQuery(itemQuery, first)}`}>← Items</a>
      {query.has("at") && (
        <div class="row">
          <NavigationButton href={before && address(before)} words="Previous" />
          <NavigationButton href={after && address(after)} words="Next" />
        </div>
      )}
    </nav>
  );
}

function NavigationButton({ href, words }: { href: string | null; words: string }) {
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
