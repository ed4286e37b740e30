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
  if (coming) return <Notice>The pilot is complete. Estimating the cost of the remaining items…</Notice>;
  if (problem?.status === 409) return <NoEstimate project={project} />;
  return problem ? <Notice kind="bad">{problem.message}</Notice> : <p class="loading">Loading…</p>;
}

function NoEstimate({ project }: Pick<ProjectProps, "project">) {
  return (
    <Empty>
      <p>
        {project.state === "draft" || project.state === "pilot"
          ? "The estimate is available when the pilot is complete."
          : "No estimate is available. Estimates are made after a pilot, until the project continues."}
      </p>
      <ButtonLink href={`/projects/${project.id}`}>Back to overview</ButtonLink>
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
      <Card title="Cost of the remaining items">
        {own ? (
          <p class="headline">
            About <b>{roundMoney(own.spend.value, currency)}</b> more for the {count(itemsLeft(estimate))} remaining
            items
            {saving && `, ${saving}`}.
          </p>
        ) : (
          <p>The pilot has too few votes for a forecast. Run another pilot with more items.</p>
        )}
        <p class="soft">
          The pilot cost {money(estimate.spent, currency)}.{" "}
          {own && `With it, about ${roundMoney(estimate.spent + own.spend.value, currency)} in total. `}
          {budget !== null && `The budget is ${money(budget, currency)}. `}
          Created {moment(estimate.at)}.
        </p>
        {own && budget !== null && estimate.spent + own.spend.high > budget && (
          <Notice kind="warn">
            {estimate.spent + own.spend.value > budget
              ? "The budget will likely be used up before all items are decided. Raise it, or some items will not get enough votes."
              : "The budget may be used up before all items are decided."}
          </Notice>
        )}
        <Warnings warnings={estimate.warnings} />
        <EstimateActions project={project} reload={reload} />
      </Card>
      {rows.length > 0 && (
        <Card title="Comparison with other strategies">
          <StrategyTable rows={rows} currency={currency} settings={`/projects/${project.id}/settings`} />
        </Card>
      )}
    </>
  );
}
