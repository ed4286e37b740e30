import { useEffect, useState } from "preact/hooks";
import type { Project } from "../../api";
import { Button, ButtonLink, Choice, Empty, Field, Notice } from "../../ui";
import { count } from "../../ui/format";
import { AddItems } from "../overview/AddItems";
import { useProject } from "../project-context";
import { go, useRoute } from "../router";
import { useAtMostEvery } from "../useAtMostEvery";
import { FILTERS, filterCount, formatQuery, type ItemQuery, itemAddress, parseQuery, visibleFilters } from "./filters";
import { HeadCells, ItemCells } from "./ItemCells";
import "./items.css";
import { useFilterCounts } from "./useFilterCounts";
import { useItems } from "./useItems";
import { VirtualList } from "./VirtualList";

const TYPING_MS = 300;
const RELOAD_MS = 3000; // between two reloads while votes arrive

/** The list of items with search and filters: label, confidence, who decided, and votes. */
export function Items() {
  const { project, overview, revision } = useProject();
  const names = project.settings.questions.map((question) => question.name);
  const first = names[0] ?? "";
  const query = parseQuery(useRoute().query, names);
  const address = (change: Partial<ItemQuery>) =>
    `/projects/${project.id}/items${formatQuery({ ...query, at: 0, ...change }, first)}`;
  const statuses = overview?.tasks[query.question];
  const counted = useFilterCounts(project.id, query.question, revision);
  return (
    <div class="stack">
      <div class="items-query">
        <Search now={query.search} onSearch={(search) => go(address({ search }), { replace: true })} />
        {names.length > 1 && (
          <Choice
            label="Question"
            value={query.question}
            onChange={(event) => go(address({ question: event.currentTarget.value }))}
          >
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Choice>
        )}
      </div>
      <nav class="chips" aria-label="Filter items">
        {visibleFilters(statuses, query.filter).map(([filter, words]) => (
          <a
            key={filter}
            class="chip"
            href={address({ filter })}
            aria-current={filter === query.filter ? "true" : undefined}
          >
            {words} <Count n={filterCount(filter, statuses) ?? counted[filter] ?? null} />
          </a>
        ))}
      </nav>
      <List
        key={address({})}
        project={project}
        asked={query}
        first={first}
        all={address({ filter: "all", search: "" })}
        revision={revision}
      />
    </div>
  );
}

function Count({ n }: { n: number | null }) {
  return n === null ? null : <span class="soft">{count(n)}</span>;
}

/** A search field that searches when typing pauses. */
function Search({ now, onSearch }: { now: string; onSearch: (search: string) => void }) {
  const [typed, setTyped] = useState(now);
  useEffect(() => setTyped((typed) => (typed.trim() === now ? typed : now)), [now]);
  useEffect(() => {
    if (typed.trim() === now) return;
    const rest = setTimeout(() => onSearch(typed.trim()), TYPING_MS);
    return () => clearTimeout(rest);
  }, [typed]);
  return (
    <Field
      label="Search"
      type="search"
      placeholder="Key or text"
      value={typed}
      maxLength={200}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

interface ListProps {
  project: Project;
  asked: ItemQuery;
  first: string;
  all: string;
  revision: string;
}

function List({ project, asked, first, all, revision }: ListProps) {
  const items = useItems(project.id, asked);
  useAtMostEvery(RELOAD_MS, revision, items.refresh);
  const rowHeight = useRowHeight();
  const here = `/projects/${project.id}/items`;
  const open = (index: number) => {
    const item = items.row(index);
    if (!item) return;
    go(here + formatQuery({ ...asked, at: index }, first), { replace: true });
    go(itemAddress(project.id, item.id, { ...asked, at: index }, first));
    scrollTo(0, 0);
  };
  const href = (index: number) => itemAddress(project.id, items.row(index)?.id ?? 0, { ...asked, at: index }, first);
  const description = FILTERS.find(([name]) => name === asked.filter)?.[2];
  if (items.problem && items.total === null)
    return (
      <Notice kind="bad">
        {items.problem.message} <Button onClick={items.again}>Try again</Button>
      </Notice>
    );
  if (items.total === null) return <p class="loading">Loading…</p>;
  if (items.total === 0) return <NoItems asked={asked} project={project} all={all} onAdded={items.again} />;
  return (
    <>
      {items.problem && <Notice kind="bad">{items.problem.message}</Notice>}
      <p class="soft" role="status">
        {items.exact ? count(items.total) : "Many"} {items.total === 1 ? "item" : "items"}
        {asked.search && ` with “${asked.search}”`}. {description}
      </p>
      <VirtualList
        label="Items"
        head={<HeadCells />}
        total={items.total}
        rowHeight={rowHeight}
        start={asked.at}
        row={(index) => (
          <ItemCells item={items.row(index)} question={asked.question} project={project.id} href={href(index)} />
        )}
        onSee={items.see}
        onOpen={open}
      />
    </>
  );
}

interface NothingProps {
  asked: ItemQuery;
  project: Project;
  all: string;
  onAdded: () => void;
}

function NoItems({ asked, project, all, onAdded }: NothingProps) {
  const [adding, setAdding] = useState(false);
  const close = () => {
    setAdding(false);
    onAdded();
  };
  if (asked.filter === "all" && !asked.search)
    return (
      <Empty>
        <p>No items yet. Upload a file to add items.</p>
        <Button look="main" onClick={() => setAdding(true)}>
          Add items
        </Button>
        {adding && <AddItems project={project} onClose={close} />}
      </Empty>
    );
  return (
    <Empty>
      <p>
        No items{asked.filter !== "all" && " match this filter"}
        {asked.search && ` with “${asked.search}”`}. {asked.filter === "overruled" && noAuditReason(project)}
      </p>
      <ButtonLink href={all}>Show all items</ButtonLink>
    </Empty>
  );
}

/** Explains why there are no audit errors. */
function noAuditReason({ settings }: Project): string {
  return settings.audit_share > 0
    ? "Experts audit a random share of the accepted items and have agreed with all of them so far."
    : "There is no audit: the audit share in the settings is 0.";
}

/** Returns the row height: narrow screens need two lines per row. */
function useRowHeight(): number {
  const narrow = matchMedia("(max-width: 700px)");
  const [height, setHeight] = useState(narrow.matches ? 80 : 52);
  useEffect(() => {
    const look = () => setHeight(narrow.matches ? 80 : 52);
    narrow.addEventListener("change", look);
    return () => narrow.removeEventListener("change", look);
  }, [narrow]);
  return height;
}
