import type { Question } from "../../api";
import { TextField } from "../../ui";
import { ClassesForm } from "./ClassesForm";
import { resizeCosts } from "./costs";
import type { PartProps } from "./parts";

/** One question with its answers. */
export function QuestionForm({ settings, change, faults }: PartProps) {
  const question = settings.questions[0];
  if (!question) return null;
  const put = (changed: Question) => {
    const questions = [changed];
    change({ questions, costs: resizeCosts({ ...settings, questions }) });
  };
  return (
    <>
      <TextField
        label="Question"
        placeholder="Is this review about delivery?"
        rows={2}
        value={question.text}
        wrong={faults["questions.0.text"]}
        onInput={(e) => put({ ...question, text: e.currentTarget.value })}
      />
      <ClassesForm
        question={question}
        at="questions.0"
        faults={faults}
        onChange={(classes) => put({ ...question, classes })}
      />
    </>
  );
}
