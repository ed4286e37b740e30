import { useId } from "preact/hooks";

interface Props<T extends string> {
  legend: string;
  value: T;
  options: [value: T, name: string, what?: string][];
  onChange: (value: T) => void;
}

/** Radio buttons, each with a short explanation. */
export function Options<T extends string>({ legend, value, options, onChange }: Props<T>) {
  const name = useId();
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="option-row">
        {options.map(([optionValue, called, what]) => (
          <label key={optionValue} class="option">
            <input type="radio" name={name} checked={optionValue === value} onChange={() => onChange(optionValue)} />
            <span>
              <strong>{called}</strong>
              {what && <span class="soft small">{what}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
