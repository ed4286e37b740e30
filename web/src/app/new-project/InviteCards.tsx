import type { Project } from "../../api";
import { Card } from "../../ui";
import { ByLink } from "../invite/ByLink";
import { ByPanel } from "../invite/ByPanel";

interface Props {
  project: Pick<Project, "id" | "settings">;
  audience: "links" | "panel";
}

/** How people come to the work: links to hand out, or the address for a panel. */
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
