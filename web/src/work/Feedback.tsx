import { useLayoutEffect, useRef } from "preact/hooks";
import type { Question } from "../api/types";
import { Button } from "../ui/Button";
import { Key } from "./Key";
import type { Held } from "./session/queue";

interface Props {
  held: Held;
  question: Question;
  onNext: () => void;
}

/** The correct answer of a practice item. */
export function Feedback({ held, question, onNext }: Props) {
  const next = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => next.current?.querySelector("button")?.focus(), []);
  const right = question.classes.find((spec) => spec.name === held.right);
  const isAnswer = held.said === "vote"; // unsure is neither right nor wrong
  const isRight = held.right === held.label;
  return (
    <div class={`feedback ${isRight ? "good" : isAnswer ? "bad" : ""}`}>
      <div role="alert">
        <strong>
          {isRight ? "Correct." : isAnswer ? `Incorrect: you answered ${held.label}.` : "Correct answer:"}
        </strong>{" "}
        It is {held.right}.{right?.definition && <p>{right.definition}</p>}
      </div>
      <div ref={next} class="row big">
        <Button look="main" onClick={onNext}>
          Next <Key name="Enter" />
        </Button>
      </div>
    </div>
  );
}
