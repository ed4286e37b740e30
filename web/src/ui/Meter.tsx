/** A share as a small bar; the number itself is shown next to it. */
export function Meter({ share }: { share: number }) {
  return (
    <span class="meter" aria-hidden="true">
      <span style={{ width: `${100 * share}%` }} />
    </span>
  );
}
