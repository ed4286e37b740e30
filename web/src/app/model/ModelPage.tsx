import { useEffect } from "preact/hooks";
import { type Models, useLiveOverview, useLoaded } from "../../api";
import { Choice, Empty, Notice } from "../../ui";
import type { ProjectProps } from "../ProjectPages";
import { go, usePlace } from "../router";
import { Gallery } from "./Gallery";
import { Learning } from "./Learning";
import { Mistakes } from "./Mistakes";
import "./model.css";
import { Standing } from "./CurrentModel";
import { Trust } from "./Trust";
import { Versions } from "./Versions";

/** What was learnt: from whom, how good it is, how far it can be trusted, and what is hard for everybody. */
export function ModelPage({ project }: ProjectProps) {
  const names = project.settings.questions.map((one) => one.name);
  const asked = usePlace().query.get("question") ?? "";
  const question = names.includes(asked) ? asked : (names[0] ?? "");
  const at = `/projects/${project.id}`;
  const path = `/api/projects/${project.id}/models?question=${encodeURIComponent(question)}`;
  const { data: models, problem, reload } = useLoaded<Models>(path);
  const version = useLiveOverview(project.id).overview?.models[question]?.version;
  useEffect(() => {
    if (version !== undefined && models && models.versions[0]?.version !== version) reload();
  }, [version, Boolean(models)]);
  const learnt = models?.versions.some((one) => one.n_votes > 0); // the first one only says what is assumed
  return (
    <div class="stack">
      {names.length > 1 && (
        <div class="narrow-choice">
          <Choice
            label="Question"
            value={question}
            onChange={({ currentTarget }) => go(`${at}/model?question=${encodeURIComponent(currentTarget.value)}`)}
          >
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Choice>
        </div>
      )}
      {problem && <Notice kind="bad">{problem.message}</Notice>}
      {!models && !problem && <p class="loading">Loading…</p>}
      {models && !learnt && (
        <Empty>
          <p>
            Nothing learnt yet. The first lesson comes after the first votes, and a new one whenever there are more.
          </p>
        </Empty>
      )}
      {models && learnt && (
        <>
          <Standing models={models} />
          <Learning models={models} at={at} />
          <Trust models={models} at={at} />
          <Mistakes models={models} at={at} />
          <Gallery project={project.id} question={question} />
          <Versions models={models} />
        </>
      )}
    </div>
  );
}
