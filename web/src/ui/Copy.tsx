import { useId, useRef, useState } from "preact/hooks";
import { Button } from "./Button";

interface Props {
  label: string;
  /** What is copied; several lines are shown as such. */
  text: string;
  hint?: string | undefined;
}

/** Something to take along: shown as it is, and copied by a button. */
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

/** Without https a page may not use the clipboard by itself: then the browser copies what is selected. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
