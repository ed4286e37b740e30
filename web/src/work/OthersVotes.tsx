import { useEffect, useState } from "preact/hooks";
import type { Told as ToldOf } from "../api/types";
import { addressOf } from "../item/address";
import { percent } from "../ui/format";
import { STATUS_WORDS } from "../ui/statuses";
import type { Given } from "./queue";
import type { WorkService } from "./service";
import type { Desk } from "./voter-session";
import { described, plural } from "./words";

/** What others said of the item before, once the expert's own answer is in. */
export function useTold(service: WorkService, desk: Desk, last: Given | undefined, isExpert: boolean): ToldOf | null {
  const [told, setTold] = useState<{ task: number; told: ToldOf } | null>(null);
  const task = last?.lease.task;
  const isIn = isExpert && last !== undefined && last.vote !== null && last.said === "vote";
  useEffect(() => {
    if (!isIn || task === undefined) return;
    let stale = false;
    service.told(task).then(
      (found) => {
        if (found.final) desk.reveal(task); // also where the page has gone on meanwhile: the service has sent it
        if (!stale) setTold({ task, told: found });
      },
      () => {},
    );
    return () => {
      stale = true;
    };
  }, [service, desk, task, isIn, last?.vote]);
  return told && told.task === task ? told.told : null;
}

/** Its place is kept free, so that nothing moves when it comes. */
export function NotTold() {
  return <p class="soft">What others said of an item is told here after your answer.</p>;
}

interface Props {
  told: ToldOf;
  last: Given;
  base: string;
}

/** A short word on the item before: it does not stop the work. */
export function Told({ told, last, base }: Props) {
  const { item } = last.lease;
  const others = told.votes.filter((one) => !one.mine);
  const names = [
    ...new Set([...Object.keys(told.posterior ?? told.machine ?? {}), ...others.flatMap((one) => one.label ?? [])]),
  ];
  return (
    <section class="told stack" aria-label="What others said of the item before">
      {item.kind === "image" ? (
        <img src={addressOf(item.content, base)} alt={described(last.lease)} draggable={false} />
      ) : (
        <p class="soft clamp">{described(last.lease, 120)}</p>
      )}
      <p>
        You said <strong>{last.label}</strong>.{" "}
        {others.length ? `${plural(others.length, "other")} said:` : "Nobody else was asked."}
      </p>
      <div class="scroller">
        <table class="table small">
          <thead>
            <tr>
              <th>Answer</th>
              <th class="number">Others</th>
              {told.machine && <th class="number">Machine</th>}
              {told.posterior && <th class="number">Believed</th>}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="number">{others.filter((one) => one.label === name).length}</td>
                {told.machine && <td class="number">{percent(told.machine[name] ?? 0)}</td>}
                {told.posterior && <td class="number">{percent(told.posterior[name] ?? 0)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft small">Now: {STATUS_WORDS[told.status] ?? told.status}</p>
    </section>
  );
}
