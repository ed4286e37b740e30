import { useState } from "preact/hooks";
import type { ClassSpec } from "../../api";
import { Button } from "../../ui";
import { money } from "../../ui/format";
import { Answers } from "../../work/Answers";
import { classKeys } from "../../work/keys";
import { isArchive, itemOf } from "./columns";
import type { Draft } from "./draft";
import { PreviewItem } from "./PreviewItem";

/** A preview of the worker's page with a row of the file. Answers given here do not count. */
export function Preview({ draft, file }: { draft: Draft; file: File | null }) {
  const [row, setRow] = useState(0);
  const [questionIndex, setQuestionIndex] = useState(0);
  const { settings, looked } = draft;
  const rows = looked && !looked.rows.length && isArchive(looked) ? [{}, {}, {}] : (looked?.rows ?? []);
  const index = rows.length ? row % rows.length : 0;
  const question = settings.questions[questionIndex % Math.max(1, settings.questions.length)];
  const answered = () => {
    if (questionIndex + 1 < settings.questions.length) setQuestionIndex(questionIndex + 1);
    else {
      setQuestionIndex(0);
      setRow(index + 1);
    }
  };
  return (
    <section class="preview" aria-label="Worker view">
      <div class="preview-bar">
        <strong>Worker view</strong>
        <span class="soft small">{money(settings.prices.votes.crowd || 0, settings.currency)} per vote</span>
      </div>
      <div class="preview-page">
        {settings.instructions.trim() && (
          <details class="more small">
            <summary>Instructions</summary>
            <p class="preview-words">{settings.instructions}</p>
          </details>
        )}
        <p class="preview-question">{question?.text || "Your question appears here."}</p>
        {rows[index] && (
          <PreviewItem item={itemOf(draft.kind, draft.columns, rows[index], draft.labels)} index={index} file={file} />
        )}
        {question && (
          <Answers classes={named(question.classes)} keys={classKeys(question.classes)} onChoose={answered} />
        )}
      </div>
      {rows.length > 1 && (
        <Button look="plain" small onClick={() => setRow(index + 1)}>
          Show another item
        </Button>
      )}
    </section>
  );
}

/** Fills in names of answers that have none yet. */
function named(classes: ClassSpec[]): ClassSpec[] {
  return classes.map((spec, index) => ({ ...spec, name: spec.name || `Answer ${index + 1}` }));
}
