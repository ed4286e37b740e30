import { useEffect } from "preact/hooks";
import { type Estimate, useLoaded } from "../../api";
import { ButtonLink, Card, Empty, Notice, Warnings } from "../../ui";
import { count, moment, money } from "../../ui/format";
import { roundMoney } from "../overview/sentences";
import { useProject } from "../project-context";
import { EstimateActions } from "./EstimateActions";
import { StrategyTable } from "./StrategyTable";
import { itemsLeft, rowsOf, savingSentence } from "./strategies";
import "./estimate.css";

const POLL_MS = 2000; // between two requests for the estimate

/** The estimated cost of the remaining items after a pilot, for each strategy. */
export function EstimatePage() {
  const { project } = useProject();
  const { data, problem, reload: poll } = useLoaded<Estimate>(`/api/projects/${project.id}/estimate`);
  const coming = problem?.status === 409 && project.state === "estimate";
  useEffect(() => {
    if (!coming) return;
    const timer = setInterval(poll, POLL_MS);
    return () => clearInterval(timer);
  }, [coming, poll]);
  if (data) return <EstimateCards estimate={data} />;
  if (coming) return <Notice>The pilot is complete. Estimating the cost of the remaining items…</Notice>;
  if (problem?.status === 409) return <NoEstimate />;
  return problem ? <Notice kind="bad">{problem.message}</Notice> : <p class="loading">Loading…</p>;
}

function NoEstimate() {
  const { project } = useProject();
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

function EstimateCards({ estimate }: { estimate: Estimate }) {
  const { project } = useProject();
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
        <EstimateActions />
      </Card>
      {rows.length > 0 && (
        <Card title="Comparison with other strategies">
          <StrategyTable rows={rows} currency={currency} settings={`/projects/${project.id}/settings`} />
        </Card>
      )}
    </>
  );
}
