import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  label: string;
  hint?: ComponentChildren | undefined;
  wrong?: string | undefined;
}

interface FrameProps extends FieldProps {
  id: string;
  children: ComponentChildren;
}

function Frame({ id, label, hint, wrong, children }: FrameProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {wrong && (
        <span class="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </span>
      )}
    </div>
  );
}

function ariaProps(id: string, { hint, wrong }: FieldProps) {
  const names = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(" ");
  return { id, "aria-describedby": names || undefined, "aria-invalid": wrong ? true : undefined };
}

/** A text input with its label, a hint and an error message. */
export function Field({ label, hint, wrong, ...rest }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} wrong={wrong}>
      <input {...rest} {...ariaProps(id, { label, hint, wrong })} />
    </Frame>
  );
}

/** A text area with its label, a hint and an error message. */
export function TextField({ label, hint, wrong, ...rest }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} wrong={wrong}>
      <textarea {...rest} {...ariaProps(id, { label, hint, wrong })} />
    </Frame>
  );
}

/** A select with its label, a hint and an error message. */
export function Choice({
  label,
  hint,
  wrong,
  children,
  ...rest
}: FieldProps & { children: ComponentChildren } & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} wrong={wrong}>
      <select {...rest} {...ariaProps(id, { label, hint, wrong })}>
        {children}
      </select>
    </Frame>
  );
}
