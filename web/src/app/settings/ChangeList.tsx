import type { Change } from "./changes";

/** Changed values, before and after. */
export function ChangeList({ changes }: { changes: Change[] }) {
  return (
    <dl class="changed">
      {changes.map((change) => (
        <div key={change.what}>
          <dt>{change.what}</dt>
          <dd>
            <del>
              <span class="unseen">from </span>
              {change.from}
            </del>
            <span aria-hidden="true">→</span>
            <ins>
              <span class="unseen">to </span>
              {change.to}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
