import { useEffect, useState } from "preact/hooks";
import { Notice } from "../ui/Notice";

const WARN_SECONDS = 30;

interface Props {
  /** When the item is reassigned, in milliseconds since 1970. */
  until: number | null;
  /** The time limit of an item; the warning appears in its last third. */
  seconds: number;
  connected: boolean;
}

/** Warns before the shown item is reassigned because of inactivity or a lost connection. */
export function LeaseWarning({ until, seconds, connected }: Props) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = until === null ? Number.POSITIVE_INFINITY : Math.ceil((until - now) / 1000);
  if (left > Math.min(WARN_SECONDS, seconds / 3)) return null;
  if (left <= 0) return <Notice kind="warn">Time is up. This item may have been assigned to someone else.</Notice>;
  return (
    <Notice kind="warn">
      {connected ? "Are you still there? This" : "You are offline. This"} item will be reassigned in {left} s.
    </Notice>
  );
}
