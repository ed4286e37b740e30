import { useState } from "preact/hooks";
import { useSending } from "../../api";
import { Button, Card, Notice, TextField } from "../../ui";
import { count } from "../../ui/format";
import { ColumnsForm } from "./ColumnsForm";
import { DropZone } from "./DropZone";
import { withFile } from "./draft";
import { fileOf, inspectFile, inspectLines, linesOf } from "./inspect-file";
import { SampleRows } from "./SampleRows";
import type { StepProps } from "./step";

/** The source of the items: a file or pasted texts. */
export function FileStep({ drafting, faults }: StepProps) {
  const { draft, choose } = drafting;
  const [again, setAgain] = useState(false);
  const { busy, problem, send } = useSending();
  const take = (file: File) =>
    send(inspectFile(file), (seen) => {
      choose(seen.file, withFile(draft, seen.source, seen.looked));
      setAgain(false);
    });
  const paste = (text: string) => {
    const lines = linesOf(text);
    const source = { name: "texts", size: text.length, pasted: true, items: lines.length };
    choose(fileOf(lines), withFile(draft, source, inspectLines(lines)));
    setAgain(false);
  };
  if (draft.source && draft.looked && !again)
    return (
      <>
        <Chosen drafting={drafting} onAgain={() => setAgain(true)} />
        <ColumnsForm drafting={drafting} faults={faults} />
        <SampleRows looked={draft.looked} />
      </>
    );
  return (
    <>
      <DropZone busy={busy} onFile={take} />
      {problem && <Notice kind="bad">{problem}</Notice>}
      {faults.file && !busy && <Notice kind="bad">{faults.file}</Notice>}
      <Paste onPaste={paste} />
    </>
  );
}

function Chosen({ drafting, onAgain }: { drafting: StepProps["drafting"]; onAgain: () => void }) {
  const { source } = drafting.draft;
  if (!source) return null;
  return (
    <Notice kind={drafting.file ? "good" : "warn"}>
      <span>
        <strong>{source.pasted ? "Pasted texts" : source.name}</strong>
        {source.items !== null && ` · about ${count(source.items)} ${source.items === 1 ? "item" : "items"}`}
        {!drafting.file && " · choose the file again: the browser did not keep it"}
      </span>
      <Button small onClick={onAgain}>
        Choose another file
      </Button>
    </Notice>
  );
}

function Paste({ onPaste }: { onPaste: (text: string) => void }) {
  const [text, setText] = useState("");
  const n = linesOf(text).length;
  return (
    <Card title="Or paste texts">
      <TextField
        label="Texts"
        hint="One item per line."
        rows={5}
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
      />
      <div class="row">
        <Button disabled={n === 0} onClick={() => onPaste(text)}>
          {n > 0 ? `Use ${n === 1 ? "this text" : `these ${count(n)} texts`}` : "Use these texts"}
        </Button>
      </div>
    </Card>
  );
}
