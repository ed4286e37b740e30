import type { ComponentChildren } from "preact";
import type { Visit } from "../api/types";
import { ReadingDialog } from "./ReadingDialog";
import { Guide, guideTitle } from "./screens/Guide";
import type { CurrentItem } from "./useCurrentItem";

interface Props {
  visit: Visit;
  current: CurrentItem;
  wide: boolean;
  guide: boolean;
  onClose: () => void;
  children: ComponentChildren;
}

/** The guide and the other votes: next to the item on wide screens, otherwise in a dialog. */
export function Sidebar({ visit, current, wide, guide, onClose, children }: Props) {
  const explained = guide && <Guide visit={visit} question={current.question} keys={current.keys} />;
  if (!wide)
    return explained ? (
      <ReadingDialog title={guideTitle(visit)} onClose={onClose}>
        {explained}
      </ReadingDialog>
    ) : null;
  if (!explained && !children) return null;
  return (
    <aside class="sidebar stack" aria-label="Help">
      {explained && <h2>{guideTitle(visit)}</h2>}
      {explained}
      {children}
    </aside>
  );
}
