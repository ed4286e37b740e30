import { useEffect, useState } from "preact/hooks";
import { type ItemDetail, type ItemPage as Page, useLoaded } from "../../api";
import { ItemView } from "../../item/ItemView";
import { Button, ButtonLink, Card, Notice } from "../../ui";
import { useProject } from "../project-context";
import { useRoute } from "../router";
import { useAtMostEvery } from "../useAtMostEvery";
import { formatQuery, itemAddress, parseQuery } from "./filters";
import "./items.css";
import "./item-page.css";
import { neighbours } from "./neighbours";
import { TaskCard } from "./TaskCard";
import { listPath } from "./useItems";

const RELOAD_MS = 3000; // between two reloads while votes arrive

/** One item: its content, votes, probabilities, the reason for its status, and actions. */
export function ItemPage({ item }: { item: number }) {
  const { project, revision } = useProject();
  const { data, problem, reload } = useLoaded<ItemDetail>(`/api/projects/${project.id}/items/${item}`);
  useAtMostEvery(RELOAD_MS, revision, reload);
  return (
    <div class="stack">
      <ItemNavigation item={item} />
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      {!data && !problem && <p class="loading">Loading…</p>}
      {data && <Detail key={data.id} loaded={data} />}
    </div>
  );
}

function Detail({ loaded }: { loaded: ItemDetail }) {
  const { project, session } = useProject();
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

/** Links back to the list and to the neighbouring items. */
function ItemNavigation({ item }: { item: number }) {
  const { project } = useProject();
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
