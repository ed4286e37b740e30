import type { Change } from "./changes";

/** What was changed, before and after. */
export function Changed({ changes }: { changes: Change[] }) {
  return (
    <dl class="changed">
      {changes.map((one) => (
        <div key={one.what}>
          <dt>{one.what}</dt>
          <dd>
            <del>
              <span class="unseen">was </span>
              {one.from}
            </del>
            <span aria-hidden="true">→</span>
            <ins>
              <span class="unseen">will be </span>
              {one.to}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
