import { useMemo, useState } from "preact/hooks";
import type { Overview, Progress } from "../../api";
import { Chart } from "../../charts";
import { needsLogScale } from "../../charts/series";
import { Button, Card } from "../../ui";
import { momentFormat, money, short } from "../../ui/format";
import { decisionCurves, errorCurve, fixedVoteMarks, withCurrentPoint } from "./curve-points";
import { formatShare } from "./sentences";

interface Props {
  progress: Progress | null;
  overview: Overview;
  currency: string;
}

/** Curves of decisions over votes or time, and of the error over cost. */
export function Curves({ progress, overview, currency }: Props) {
  if (!progress || new Set(progress.points.map((point) => point.votes)).size < 2) return null;
  return (
    <div class="two">
      <Decisions progress={progress} overview={overview} />
      <CostAgainstError progress={progress} currency={currency} />
    </div>
  );
}

function Decisions({ progress, overview }: { progress: Progress; overview: Overview }) {
  const [by, setBy] = useState<"votes" | "at">("votes");
  const curves = useMemo(() => decisionCurves(pointsOf(progress, overview), by), [progress, overview, by]);
  const time = by === "at";
  const other = (
    <Button small look="plain" onClick={() => setBy(time ? "votes" : "at")}>
      {time ? "By votes" : "By time"}
    </Button>
  );
  return (
    <Card title="Decisions" aside={other}>
      <Chart
        {...curves}
        parts
        time={time}
        label={`Decisions by ${time ? "time" : "votes"}`}
        xName={time ? "Time" : "Votes"}
        showX={time ? momentFormat((curves.x.at(-1) ?? 0) - (curves.x[0] ?? 0)) : short}
        showY={short}
      />
    </Card>
  );
}

/** Adds the current counts as the last point, unless the project is done. */
function pointsOf(progress: Progress, overview: Overview) {
  return overview.state === "done" ? progress.points : withCurrentPoint(progress.points, overview);
}

function CostAgainstError({ progress, currency }: { progress: Progress; currency: string }) {
  const curve = useMemo(() => errorCurve(progress.points), [progress]);
  const marks = useMemo(() => fixedVoteMarks(progress.fixed), [progress]);
  if (curve.x.length < 2) return null;
  const hasErrors = marks.some((mark) => mark.y !== null);
  return (
    <Card title="Error by cost">
      <Chart
        {...curve}
        marks={marks}
        log={needsLogScale([...(curve.lines[0]?.values ?? []), ...marks.map((mark) => mark.y)])}
        label="Expected error rate by amount spent"
        xName={currency ? `Spent (${currency})` : "Spent"}
        showX={(amount) => (amount >= 10_000 ? short(amount) : money(amount))}
        showY={(share) => formatShare(share).replace(".0%", "%")} // ticks such as 5% and 10%
      />
      <p class="small soft">
        Line: expected error rate over all items, including open ones, if all were decided at that point.{" "}
        {marks.length > 0 &&
          (hasErrors
            ? "Diamonds: a fixed number of votes per item with majority vote."
            : "Dashed lines: cost of a fixed number of votes per item.")}{" "}
        These are model estimates; only an audit by experts measures errors.
      </p>
    </Card>
  );
}
