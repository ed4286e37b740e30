/** A share of one, as a bar; the number itself stands beside it. */
export function Meter({ share }: { share: number }) {
  return (
    <span class="meter" aria-hidden="true">
      <span style={{ width: `${100 * share}%` }} />
    </span>
  );
}
