import { useEffect, useRef, useState } from "preact/hooks";
import { type Band, type CostForecast, type ProjectSettings, post } from "../../api";
import { Interval } from "../../charts";
import { Card, Notice, Scroller, Warnings } from "../../ui";
import { count, money, percent } from "../../ui/format";
import { cleanSettings } from "../forms/clean-settings";
import { NumberField } from "../forms/NumberField";
import type { Drafting } from "./useDraft";

const DEBOUNCE_MS = 400; // after the last change
const DEFAULT_ITEMS = 1000; // if the number is unknown
const MAX_ITEMS = 1_000_000;

const STRATEGIES: [name: string, words: string][] = [
  ["engine", "Quorate"],
  ["crowd_only", "Without experts"],
  ["fixed_3", "3 votes per item"],
  ["fixed_5", "5 votes per item"],
];

/** CostForecast cost and errors, before anything is spent. */
export function ForecastCard({ drafting, ready }: { drafting: Drafting; ready: boolean }) {
  const { draft, put } = drafting;
  const { source, accuracy, settings } = draft;
  const items = source?.items ?? DEFAULT_ITEMS;
  const { result, problem, busy } = useForecast(drafting, items, ready);
  return (
    <Card title="Forecast" aside={<span class="soft small">Simulation</span>}>
      <div class="two-fields">
        <div class="field">
          <label for="accuracy">Expected worker accuracy: {percent(accuracy)}</label>
          <input
            id="accuracy"
            type="range"
            min="55"
            max="99"
            value={Math.round(accuracy * 100)}
            onInput={(e) => put({ accuracy: Number(e.currentTarget.value) / 100 })}
          />
          <span class="hint">A rough value is enough: the pilot measures it.</span>
        </div>
        <NumberField
          label="Number of items"
          value={items}
          onChange={(n) => source && put({ source: { ...source, items: Number.isFinite(n) ? Math.round(n) : null } })}
        />
      </div>
      <div aria-live="polite" aria-busy={busy}>
        {!ready && <p class="soft">The forecast appears when all steps are complete.</p>}
        {problem && <Notice kind="warn">{problem}</Notice>}
        {ready && !result && !problem && <p class="soft">Simulating…</p>}
        <Warnings warnings={result?.warnings} />
        {result && <Table result={result} settings={settings} stale={busy} />}
      </div>
      <p class="soft small">
        Without the classifier, which lowers the cost further; the pilot shows by how much. Ranges are 80% intervals.
      </p>
    </Card>
  );
}

/** Runs one simulation at a time; changes in the meantime are simulated afterwards. */
function useForecast({ draft }: Drafting, items: number, ready: boolean) {
  const [result, setResult] = useState<CostForecast | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [answered, setAnswered] = useState("");
  const asking = useRef(false);
  const sent = JSON.stringify({
    settings: cleanSettings(draft.settings),
    items: Math.min(MAX_ITEMS, Math.max(1, items)),
    accuracy: draft.accuracy,
  });
  const busy = ready && answered !== sent;
  useEffect(() => {
    if (!busy || asking.current) return;
    const timer = setTimeout(() => {
      asking.current = true;
      post<CostForecast>("/api/forecast", JSON.parse(sent))
        .then(
          (simulated) => {
            setResult(simulated);
            setProblem(null);
          },
          (error: Error) => setProblem(`The forecast failed: ${error.message}`),
        )
        .finally(() => {
          asking.current = false;
          setAnswered(sent);
        });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [sent, busy, answered]);
  return { result, problem, busy };
}

interface TableProps {
  result: CostForecast;
  settings: ProjectSettings;
  stale: boolean;
}

function Table({ result, settings, stale }: TableProps) {
  const { currency, costs } = settings;
  const shown = STRATEGIES.flatMap(([name, words]) => {
    const strategy = result.strategies[name];
    return strategy && !(name === "crowd_only" && isSame(strategy, result.strategies.engine))
      ? [{ name, words, ...strategy }]
      : [];
  });
  const most = Math.max(...shown.map((strategy) => strategy.spend.high), 1e-9);
  const even = costs.matrix === null;
  return (
    <Scroller label="Forecast">
      <table class={`table forecast ${stale ? "stale" : ""}`}>
        <thead>
          <tr>
            <th>For {count(result.items)} items</th>
            <th class="number">Cost{currency && `, ${currency}`}</th>
            <th class="number">Errors</th>
            {even && <th class="number">Total cost</th>}
            <th class="number">Votes</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, words, spend, errors, votes }) => (
            <tr key={name} class={name === "engine" ? "ours" : ""}>
              <th scope="row">{words}</th>
              <td class="number">
                <BandText band={spend} write={money} />
                <Interval band={spend} most={most} label={`${words}: ${between(spend, currency)}`} />
              </td>
              <td class="number">
                <BandText band={errors} write={formatErrors} share={result.items} />
              </td>
              {even && <td class="number">{money(spend.value + errors.value * costs.error)}</td>}
              <td class="number">
                <BandText band={votes} write={count} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

/** Returns whether experts would make no difference. */
function isSame(strategy: CostForecast["strategies"][string], other: typeof strategy | undefined): boolean {
  return JSON.stringify(strategy) === JSON.stringify(other);
}

function BandText({ band, write, share }: { band: Band; write: (n: number) => string; share?: number }) {
  return (
    <>
      <strong>{write(band.value)}</strong>
      {share !== undefined && <span class="soft"> ({percent(band.value / share, 1)})</span>}
      {write(band.low) !== write(band.high) && (
        <div class="soft small">
          {write(band.low)} to {write(band.high)}
        </div>
      )}
    </>
  );
}

/** Formats a number of errors; small expected numbers keep a decimal. */
function formatErrors(n: number): string {
  return n < 10 ? n.toFixed(1) : count(n);
}

function between({ value, low, high }: Band, currency: string): string {
  return `${money(value, currency)}, between ${money(low, currency)} and ${money(high, currency)}`;
}
