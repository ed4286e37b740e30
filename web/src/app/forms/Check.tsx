import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  label: string;
  hint?: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A checkbox with a label and a hint. */
export function Check({ label, hint, checked, onChange }: Props) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <span class="soft small" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
