import { useState } from "preact/hooks";
import { useLoaded, type WorkerLink } from "../../api";
import { Button, Card, Copy, Notice } from "../../ui";

/** The personal link of a worker, for workers who lost it. */
export function WorkerLinkCard({ project, worker }: { project: number; worker: number }) {
  const [shown, setShown] = useState(false);
  const path = `/api/projects/${project}/workers/${worker}/link`;
  const { data, problem } = useLoaded<WorkerLink>(shown ? path : null);
  return (
    <Card title="Personal link">
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      {data ? (
        <Copy label={`Link for ${data.code}`} text={data.link} hint="Anyone who opens it votes as this worker." />
      ) : (
        <div>
          <Button onClick={() => setShown(true)}>Show link</Button>
        </div>
      )}
    </Card>
  );
}
