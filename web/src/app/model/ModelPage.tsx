import { useEffect } from "preact/hooks";
import { type Models, useLoaded } from "../../api";
import { Choice, Empty, Notice } from "../../ui";
import { useProject } from "../project-context";
import { go, useRoute } from "../router";
import { AmbiguousItems } from "./AmbiguousItems";
import { Confusions } from "./Confusions";
import { LearningCurves } from "./LearningCurves";
import "./model.css";
import { Calibration } from "./Calibration";
import { CurrentModel } from "./CurrentModel";
import { Versions } from "./Versions";

/** The models of a question: training, calibration, audit, and difficult classes and items. */
export function ModelPage() {
  const { project, overview } = useProject();
  const names = project.settings.questions.map((question) => question.name);
  const chosen = useRoute().query.get("question") ?? "";
  const question = names.includes(chosen) ? chosen : (names[0] ?? "");
  const at = `/projects/${project.id}`;
  const path = `/api/projects/${project.id}/models?question=${encodeURIComponent(question)}`;
  const { data: models, problem, reload } = useLoaded<Models>(path);
  const version = overview?.models[question]?.version;
  useEffect(() => {
    if (version !== undefined && models && models.versions[0]?.version !== version) reload();
  }, [version, Boolean(models)]);
  const trained = models?.versions.some((version) => version.n_votes > 0); // the first version is only the prior
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
      {models && !trained && (
        <Empty>
          <p>No model yet. The first one is trained after the first votes and updated as more votes arrive.</p>
        </Empty>
      )}
      {models && trained && (
        <>
          <CurrentModel models={models} />
          <LearningCurves models={models} at={at} />
          <Calibration models={models} at={at} />
          <Confusions models={models} at={at} />
          <AmbiguousItems project={project.id} question={question} />
          <Versions models={models} />
        </>
      )}
    </div>
  );
}
