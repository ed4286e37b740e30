import { Notice } from "../ui/Notice";
import { LeaseWarning } from "./LeaseWarning";
import type { Turn } from "./useCurrentItem";
import type { Desk } from "./voter-session";

/** What there is to know about the item in view: the most urgent of it, in a line that is always there. */
export function Notices({ desk, turn }: { desk: Desk; turn: Turn }) {
  const { view } = desk;
  const { again, busy } = turn;
  const said = again && (again.said === "vote" ? again.label : again.said);
  return (
    <div class="notices">
      {!busy && <LeaseWarning until={view.until} seconds={desk.visit.rules.lease_seconds} connected={view.connected} />}
      {said && <Notice>The item is back: you said {said}.</Notice>}
      {view.message && !said && <Notice>{view.message}</Notice>}
      {turn.lease.practice && <Notice>Practice: you will see the right answer after each.</Notice>}
    </div>
  );
}
