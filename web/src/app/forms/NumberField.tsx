import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../ui";
import { formatNumber, isSameNumber, parseNumber } from "./numbers";

interface Props {
  label: string;
  value: number | null | undefined;
  onChange: (value: number) => void;
  hint?: ComponentChildren;
  wrong?: string | undefined;
  placeholder?: string;
  /** 100 if a share is shown in per cent. */
  scale?: number;
}

/** A field for a number. Typed text stays unchanged, even while it is not a number yet. */
export function NumberField({ onChange, ...props }: Props) {
  return <Typed {...props} optional={false} onChange={(value) => onChange(value ?? Number.NaN)} />;
}

/** A field for a number that may be empty. */
export function OptionalNumber({
  onChange,
  ...props
}: Omit<Props, "onChange"> & { onChange: (v: number | null) => void }) {
  return <Typed {...props} optional onChange={onChange} />;
}

type TypedProps = Omit<Props, "onChange"> & { optional: boolean; onChange: (value: number | null) => void };

function Typed({ value, onChange, optional, scale = 1, ...rest }: TypedProps) {
  const [typed, setTyped] = useState(formatNumber(value, scale));
  const text = isSameNumber(parseNumber(typed, optional, scale), value) ? typed : formatNumber(value, scale);
  return (
    <Field
      {...rest}
      inputMode="decimal"
      autocomplete="off"
      value={text}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onChange(parseNumber(event.currentTarget.value, optional, scale));
      }}
    />
  );
}
