import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../ui";
import { parsed, same, written } from "./numbers";

interface Props {
  label: string;
  value: number | null | undefined;
  onChange: (value: number) => void;
  hint?: ComponentChildren;
  wrong?: string | undefined;
  placeholder?: string;
  /** 100 where a share is shown in per cent. */
  scale?: number;
}

/** A number to fill in. What is typed stays as it is typed, also while it is no number yet. */
export function NumberField({ onChange, ...props }: Props) {
  return <Typed {...props} optional={false} onChange={(value) => onChange(value ?? Number.NaN)} />;
}

/** A number that may be left out. */
export function OptionalNumber({
  onChange,
  ...props
}: Omit<Props, "onChange"> & { onChange: (v: number | null) => void }) {
  return <Typed {...props} optional onChange={onChange} />;
}

type TypedProps = Omit<Props, "onChange"> & { optional: boolean; onChange: (value: number | null) => void };

function Typed({ value, onChange, optional, scale = 1, ...rest }: TypedProps) {
  const [typed, setTyped] = useState(written(value, scale));
  const text = same(parsed(typed, optional, scale), value) ? typed : written(value, scale);
  return (
    <Field
      {...rest}
      inputMode="decimal"
      autocomplete="off"
      value={text}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onChange(parsed(event.currentTarget.value, optional, scale));
      }}
    />
  );
}
