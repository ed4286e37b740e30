import { useState } from "preact/hooks";
import { type Project, post, useSending, type VoterKind, type WorkerLink } from "../../api";
import { Button, Choice, Field, Notice } from "../../ui";
import { money } from "../../ui/format";
import { type Batch, CreatedLinks } from "./CreatedLinks";
import "./invite.css";

const MOST = 50;

/** Personal links, one per person. */
export function ByLink({ project }: { project: Pick<Project, "id" | "settings"> }) {
  const [kind, setKind] = useState<VoterKind>("crowd");
  const [countTyped, setCountTyped] = useState("1");
  const [name, setName] = useState("");
  const [batches, setBatches] = useState<Batch[]>([]);
  const { busy, problem, send } = useSending();
  const n = Math.min(MOST, Math.max(1, Math.round(Number(countTyped)) || 1));
  const personName = n === 1 ? name.trim() : "";
  const make = (event: Event) => {
    event.preventDefault();
    send(links(project.id, kind, n, personName), (fresh) => {
      setBatches((before) => [{ whom: personName, links: fresh }, ...before]);
      setName("");
    });
  };
  const price = project.settings.prices.votes[kind];
  return (
    <form class="stack" onSubmit={make}>
      <p class="soft">
        Each link identifies one person and needs no account. Give every person their own link; they can reopen it to
        continue.
      </p>
      <div class="side-by-side">
        <Choice label="Role" value={kind} onChange={(e) => setKind(e.currentTarget.value as VoterKind)}>
          <option value="crowd">Worker</option>
          <option value="expert">Expert</option>
        </Choice>
        <Field
          label="Number of links"
          type="number"
          min={1}
          max={MOST}
          value={countTyped}
          onInput={(e) => setCountTyped(e.currentTarget.value)}
        />
      </div>
      {n === 1 && (
        <Field
          label="Name (optional)"
          hint="Visible only to you. Not exported with votes."
          value={name}
          onInput={(e) => setName(e.currentTarget.value)}
        />
      )}
      <p class="soft small">
        {price === undefined
          ? "The settings have no price for expert votes, so experts are not asked. Set a price first."
          : `Pay per vote: ${money(price, project.settings.currency)}.`}
      </p>
      {problem && <Notice kind="bad">{problem}</Notice>}
      <div class="row">
        <Button type="submit" look="main" busy={busy}>
          {n === 1 ? "Create link" : `Create ${n} links`}
        </Button>
      </div>
      <CreatedLinks batches={batches} />
    </form>
  );
}

async function links(project: number, kind: VoterKind, n: number, name: string): Promise<WorkerLink[]> {
  const created: WorkerLink[] = [];
  const sent = name ? { kind, name } : { kind };
  for (let i = 0; i < n; i++) created.push(await post<WorkerLink>(`/api/projects/${project}/workers`, sent));
  return created;
}
