import { useEffect } from "preact/hooks";
import { type Estimate, useLoaded } from "../../api";
import { ButtonLink, Card, Empty, Notice, Warnings } from "../../ui";
import { count, moment, money } from "../../ui/format";
import { roundMoney } from "../overview/sentences";
import type { ProjectProps } from "../ProjectPages";
import { EstimateActions } from "./EstimateActions";
import { StrategyTable } from "./StrategyTable";
import { itemsLeft, rowsOf, savingSentence } from "./strategies";
import "./estimate.css";

const POLL_MS = 2000; // milliseconds until the estimate is looked for again

/** What the rest will cost, as the pilot foretells it, by each way to go on. */
export function EstimatePage({ project, reload }: ProjectProps) {
  const { data, problem, reload: look } = useLoaded<Estimate>(`/api/projects/${project.id}/estimate`);
  const coming = problem?.status === 409 && project.state === "estimate";
  useEffect(() => {
    if (!coming) return;
    const timer = setInterval(look, POLL_MS);
    return () => clearInterval(timer);
  }, [coming, look]);
  if (data) return <EstimateCards project={project} estimate={data} reload={reload} />;
  if (coming)
    return <Notice>The pilot is over. Its votes are played forward to see what the rest will cost: a moment.</Notice>;
  if (problem?.status === 409) return <NoEstimate project={project} />;
  return problem ? <Notice kind="bad">{problem.message}</Notice> : <p class="loading">Loading…</p>;
}

function NoEstimate({ project }: Pick<ProjectProps, "project">) {
  return (
    <Empty>
      <p>
        {project.state === "draft" || project.state === "pilot"
          ? "The estimate is made when the pilot is over."
          : "There is no estimate: it is made after a pilot, and ends when the project goes on."}
      </p>
      <ButtonLink href={`/projects/${project.id}`}>Back to the overview</ButtonLink>
    </Empty>
  );
}

function EstimateCards({
  project,
  estimate,
  reload,
}: Pick<ProjectProps, "project" | "reload"> & { estimate: Estimate }) {
  const { currency, budget } = project.settings;
  const rows = rowsOf(estimate);
  const own = rows.find((row) => row.key === "engine");
  const saving = savingSentence(rows);
  return (
    <>
      <Card title="What the rest will cost">
        {own ? (
          <p class="headline">
            About <b>{roundMoney(own.spend.value, currency)}</b> more for the {count(itemsLeft(estimate))} items that
            are left
            {saving && `, ${saving}`}.
          </p>
        ) : (
          <p>The pilot's votes are too few to foretell anything: run another one, with more items.</p>
        )}
        <p class="soft">
          The pilot cost {money(estimate.spent, currency)}.{" "}
          {own && `With it, about ${roundMoney(estimate.spent + own.spend.value, currency)} in all. `}
          {budget !== null && `The budget is ${money(budget, currency)}. `}
          Made {moment(estimate.at)}.
        </p>
        {own && budget !== null && estimate.spent + own.spend.high > budget && (
          <Notice kind="warn">
            {estimate.spent + own.spend.value > budget
              ? "The budget is likely to end before: raise it, or some items stay without enough votes."
              : "The budget may just end before."}
          </Notice>
        )}
        <Warnings warnings={estimate.warnings} />
        <EstimateActions project={project} reload={reload} />
      </Card>
      {rows.length > 0 && (
        <Card title="Compared with other ways">
          <StrategyTable rows={rows} currency={currency} settings={`/projects/${project.id}/settings`} />
        </Card>
      )}
    </>
  );
}
