import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Card, Field, Notice } from "../../ui";
import { CostsForm, NoLabelForm } from "../forms/CostsForm";
import { CriteriaForm } from "../forms/CriteriaForm";
import { ConsentForm, InstructionsForm } from "../forms/InstructionsForm";
import { AuditForm, BudgetForm, RestForm } from "../forms/MoneyForm";
import { More } from "../forms/More";
import { LearnerForm, PolicyForm } from "../forms/PolicyForm";
import { FeesForm, PricesForm } from "../forms/PricesForm";
import type { PartProps } from "../forms/parts";
import { QuestionForm } from "../forms/QuestionForm";
import { ChecksForm, ServingForm } from "../forms/WorkersForm";
import { useProject } from "../project-context";
import { Review } from "./Review";
import { useEditing } from "./useEditing";

/** All settings in groups. Changes are reviewed before they are saved. */
export function AllSettings() {
  const { project, reload } = useProject();
  const editing = useEditing(project);
  const [saved, setSaved] = useState(false);
  const { settings, change, faults } = editing;
  const props = { settings, change, faults };
  const groups: Group[] = [
    ["project", "Project", [<NameField key="name" {...props} />, <InstructionsForm key="instructions" {...props} />]],
    ["asked", "Question", <QuestionSettings key="asked" {...props} />],
    ["consent", "Consent", <ConsentForm key="consent" {...props} />],
    ["pay", "Pay", [<PricesForm key="prices" {...props} />, <FeesForm key="fees" {...props} />]],
    ["workers", "Workers", [<ChecksForm key="checks" {...props} />, <ServingForm key="serving" {...props} />]],
    ["errors", "Cost of errors", [<CostsForm key="costs" {...props} />, <NoLabelForm key="none" {...props} />]],
    ["budget", "Budget", [BudgetForm, RestForm, AuditForm].map((Form) => <Form key={Form.name} {...props} />)],
    ["deciding", "Policy and classifier", [PolicyForm, LearnerForm].map((Form) => <Form key={Form.name} {...props} />)],
  ];
  return (
    <div class="settings-body">
      <div class="stack settings">
        {saved && !editing.changes.length && (
          <Notice kind="good">
            <span>
              Settings saved. <a href={`/projects/${project.id}/settings/log`}>View log</a>
            </span>
          </Notice>
        )}
        {groups.map(([id, title, parts]) => (
          <div key={id} id={id}>
            <Card title={title}>{parts}</Card>
          </div>
        ))}
        <Review
          project={project}
          editing={editing}
          onSaved={() => {
            setSaved(true);
            reload();
            scrollTo(0, 0);
          }}
        />
      </div>
      <nav class="groups" aria-label="Setting groups">
        {groups.map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
    </div>
  );
}

type Group = [id: string, title: string, parts: ComponentChildren];

function NameField({ settings, change, faults }: PartProps) {
  return (
    <Field
      label="Name"
      value={settings.name}
      wrong={faults.name}
      onInput={(e) => change({ name: e.currentTarget.value })}
    />
  );
}

/** The question; it can be changed until there are items, because votes depend on it. */
function QuestionSettings(props: PartProps) {
  const { project, overview } = useProject();
  const empty = overview && Object.values(overview.tasks).every((by) => Object.values(by).every((n) => n === 0));
  if (project.state === "draft" && empty)
    return props.settings.kind === "single" ? <QuestionForm {...props} /> : <CriteriaForm {...props} />;
  return (
    <>
      <p class="soft small">
        The question cannot be changed once there are items. Create a new project to ask a different question.
      </p>
      <ul class="stack">
        {props.settings.questions.map((question) => (
          <li key={question.name}>
            <strong>{question.text || question.name}</strong>
            <div class="soft">
              {question.classes.map((spec) => spec.name).join(" · ")}
              {question.holds && `; included if “${question.holds}”`}
            </div>
            {question.classes.some((spec) => spec.definition) && (
              <More title="Definitions">
                <dl class="changed">
                  {question.classes.map((spec) => (
                    <div key={spec.name}>
                      <dt>{spec.name}</dt>
                      <dd>{spec.definition || "None"}</dd>
                    </div>
                  ))}
                </dl>
              </More>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
