import { Notice } from "../ui/Notice";
import { LeaseWarning } from "./LeaseWarning";
import type { VoterSession } from "./session/voter-session";
import type { CurrentItem } from "./useCurrentItem";

/** The most urgent message about the shown item, in a line that is always there. */
export function Notices({ session, current }: { session: VoterSession; current: CurrentItem }) {
  const { view } = session;
  const { again, busy } = current;
  const answer = again && (again.said === "vote" ? again.label : again.said);
  return (
    <div class="notices">
      {!busy && (
        <LeaseWarning until={view.until} seconds={session.visit.rules.lease_seconds} connected={view.connected} />
      )}
      {answer && <Notice>Previous item reopened. You answered: {answer}.</Notice>}
      {view.message && !answer && <Notice>{view.message}</Notice>}
      {current.lease.practice && <Notice>Practice: the correct answer is shown next.</Notice>}
    </div>
  );
}
