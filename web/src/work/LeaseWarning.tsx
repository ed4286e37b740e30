import { useEffect, useState } from "preact/hooks";
import { Notice } from "../ui/Notice";

const WARN_SECONDS = 30; // seconds

interface Props {
  /** When the item goes to somebody else, in milliseconds since 1970. */
  until: number | null;
  /** How many seconds one has for an item; a third of them is soon. */
  seconds: number;
  connected: boolean;
}

/** Tells when the item in view is about to go to somebody else: nobody was there, or the connection is lost. */
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
