import type { ComponentChildren } from "preact";
import type { Visit } from "../api/types";
import { Guide, guideTitle } from "./Guide";
import { ToRead } from "./ToRead";
import type { Turn } from "./useCurrentItem";

interface Props {
  visit: Visit;
  turn: Turn;
  wide: boolean;
  guide: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** What is at hand: beside the item where there is room, else in front of it. */
export function Side({ visit, turn, wide, guide, onClose, children }: Props) {
  const explained = guide && <Guide visit={visit} question={turn.question} keys={turn.keys} />;
  if (!wide)
    return explained ? (
      <ToRead title={guideTitle(visit)} onClose={onClose}>
        {explained}
      </ToRead>
    ) : null;
  if (!explained && !children) return null;
  return (
    <aside class="side stack" aria-label="Help">
      {explained && <h2>{guideTitle(visit)}</h2>}
      {explained}
      {children}
    </aside>
  );
}
