import type { Project } from "../../api";
import { Card } from "../../ui";
import { ByLink } from "../invite/ByLink";
import { ByPanel } from "../invite/ByPanel";

interface Props {
  project: Pick<Project, "id" | "settings">;
  audience: "links" | "panel";
}

/** How workers are invited: personal links, or the link for a panel. */
export function InviteCards({ project, audience }: Props) {
  return (
    <>
      {audience === "panel" && (
        <Card title="Panel">
          <ByPanel project={project} />
        </Card>
      )}
      <Card title="Links">
        <ByLink project={project} />
      </Card>
    </>
  );
}
