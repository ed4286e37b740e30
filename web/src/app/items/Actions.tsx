import { useState } from "preact/hooks";
import { type ItemDetail, post, type Question, type TaskDetail, useSending } from "../../api";
import { Button, Dialog, Notice } from "../../ui";
import { OPEN_STATUSES } from "../../ui/statuses";

interface Props {
  path: string;
  task: TaskDetail;
  question: Question | undefined;
  onDone: (item: ItemDetail, message: string) => void;
}

type Act = "relabel" | "reopen" | "expert";

const WORDS: Record<Act, { button: string; title: string; does: string; message: string }> = {
  relabel: {
    button: "Relabel…",
    title: "Relabel this item",
    does: "The label you choose becomes the gold label: no more votes are requested, the classifier is trained on it, and it may be used to check workers.",
    message: "Item relabelled.",
  },
  reopen: {
    button: "Reopen…",
    title: "Reopen this item",
    does: "The decision and any gold label you set are removed. At least one more paid crowd vote is requested; then the item is decided again with all votes.",
    message: "Item reopened: one more vote is requested.",
  },
  expert: {
    button: "Send to expert…",
    title: "Send this item to an expert",
    does: "The item stays open until an expert votes, at the price of an expert vote. The expert’s answer decides.",
    message: "Item sent to an expert.",
  },
};

/** The actions on an item; each explains its effect before it is confirmed. */
export function Actions(props: Props) {
  const [act, setAct] = useState<Act | null>(null);
  const open = OPEN_STATUSES.includes(props.task.status);
  return (
    <div class="row">
      {(Object.keys(WORDS) as Act[]).map((name) => (
        <Button key={name} small disabled={open && name === "reopen"} onClick={() => setAct(name)}>
          {WORDS[name].button}
        </Button>
      ))}
      {act && <Confirm {...props} act={act} onClose={() => setAct(null)} />}
    </div>
  );
}

function Confirm({ act, path, task, question, onDone, onClose }: Props & { act: Act; onClose: () => void }) {
  const [label, setLabel] = useState<string | null>(null);
  const { busy, problem, send } = useSending();
  const { title, does, message } = WORDS[act];
  const confirm = () => {
    const body = act === "relabel" ? { question: task.question, label } : { question: task.question };
    send(post<ItemDetail>(`${path}/${act}`, body), (item) => {
      onDone(item, message);
      onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{does}</p>
      {act === "relabel" && <Labels question={question} now={task.label} chosen={label} onChoose={setLabel} />}
      {problem && <Notice kind="bad">{problem}</Notice>}
      <div class="row">
        <Button look="main" busy={busy} disabled={act === "relabel" && label === null} onClick={confirm}>
          {act === "relabel" ? `Relabel${label === null ? "" : ` as ${label}`}` : title}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

interface LabelsProps {
  question: Question | undefined;
  now: string | null;
  chosen: string | null;
  onChoose: (label: string) => void;
}

function Labels({ question, now, chosen, onChoose }: LabelsProps) {
  return (
    <fieldset class="labels">
      <legend>{question?.text || "Correct label"}</legend>
      {question?.classes.map((spec) => (
        <label key={spec.name} class="row">
          <input type="radio" name="label" checked={chosen === spec.name} onChange={() => onChoose(spec.name)} />
          {spec.name}
          {spec.name === now && <span class="soft small">current label</span>}
        </label>
      ))}
    </fieldset>
  );
}
