import { useId, useRef, useState } from "preact/hooks";
import { Button } from "./Button";

interface Props {
  label: string;
  /** The text to copy; several lines are shown in a text area. */
  text: string;
  hint?: string | undefined;
}

/** A read-only field with a button that copies its text. */
export function Copy({ label, text, hint }: Props) {
  const id = useId();
  const [copied, setCopied] = useState(false);
  const shown = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const lines = text.split("\n").length;
  const copy = async () => {
    shown.current?.select();
    setCopied(await copyText(text));
    setTimeout(() => setCopied(false), 2000);
  };
  const fieldProps = { id, ref: shown, readOnly: true, value: text, spellcheck: false };
  return (
    <div class="field copy">
      <label for={id}>{label}</label>
      <div class="row">
        {lines > 1 ? <textarea {...fieldProps} rows={Math.min(lines, 8)} /> : <input {...fieldProps} />}
        <Button onClick={copy}>
          <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
        </Button>
      </div>
      {hint && <span class="hint">{hint}</span>}
    </div>
  );
}

/** Copies a text. Without HTTPS the clipboard API is missing, so the selected text is copied instead. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
