import { useEffect, useState } from "preact/hooks";
import { Problem } from "../../api/call";
import type { Completion, Visit } from "../../api/types";
import { Button, ButtonLink } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import type { WorkService } from "../session/service";
import { formatPay, plural } from "../text";
import { Screen } from "./Screens";
import { Submit } from "./Submit";

const REDIRECT = 15; // seconds

interface Props {
  visit: Visit;
  service: WorkService;
  votes: number;
  earned: number;
  /** Number of answers that are not sent yet. */
  unsent: number;
  onMore?: (() => void) | undefined;
}

/** The end of a visit: summary, completion code and the way back to the panel. */
export function Done({ visit, service, votes, earned, unsent, onMore }: Props) {
  const [completion, setCompletion] = useState<Completion | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (unsent) return;
    service.completion().then(setCompletion, (error) => setProblem(error instanceof Problem ? error.message : ""));
  }, [service, unsent]);
  const outcome = completion?.outcome ?? (votes ? "done" : "no_work");
  const paid = visit.progress.price > 0 && votes > 0;
  return (
    <Screen title={TITLES[outcome]} above={visit.project}>
      {outcome === "failed" && (
        <p>Too many of your answers to check items were incorrect, so you will not receive more items.</p>
      )}
      {outcome === "no_work" && <p>No items are available for you. You can close this page.</p>}
      {votes > 0 && (
        <p class="sum">
          {plural(votes, "answer")}
          {paid && <>, {formatPay(earned, visit)} earned</>}
        </p>
      )}
      {unsent > 0 && (
        <Notice kind="warn">{plural(unsent, "answer")} still being sent. Keep this page open for a moment.</Notice>
      )}
      {problem && <Notice kind="bad">{problem}</Notice>}
      {completion && <ReturnToPanel completion={completion} service={service} />}
      {onMore && outcome !== "failed" && (
        <div class="row">
          <Button onClick={onMore}>Continue working</Button>
        </div>
      )}
    </Screen>
  );
}

const TITLES = {
  done: "Thank you, you have finished",
  failed: "You cannot continue in this project",
  no_work: "No items available",
};

/** The way back to the panel. A visit without items is not submitted: panels let people return it. */
function ReturnToPanel({ completion, service }: { completion: Completion; service: WorkService }) {
  const { arrival } = service;
  if (arrival.submit && completion.outcome !== "no_work") return <Submit arrival={arrival} code={completion.code} />;
  if (completion.url) return <ReturnLink completion={completion} url={completion.url} />;
  return completion.outcome === "done" ? <p>You can close this page.</p> : null;
}

/** The completion code and a link to the panel, which opens automatically unless the worker stays. */
function ReturnLink({ completion, url }: { completion: Completion; url: string }) {
  const [left, setLeft] = useState<number | null>(REDIRECT);
  useEffect(() => {
    if (left === null) return;
    if (left === 0) location.assign(url);
    const timer = setTimeout(() => setLeft((now) => (now === null ? null : now - 1)), 1000);
    return () => clearTimeout(timer);
  }, [left, url]);
  return (
    <div class="card">
      <Code code={completion.code} />
      <div class="row big">
        <ButtonLink look="main" href={url}>
          Return and complete
        </ButtonLink>
        {left !== null && <Button onClick={() => setLeft(null)}>Stay here</Button>}
      </div>
      {left !== null && <p class="soft small">You will be redirected in {left} s.</p>}
    </div>
  );
}

function Code({ code }: { code: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(code);
    setCopied(true);
  };
  return (
    <div class="row">
      <span>
        Your completion code: <code class="code">{code}</code>
      </span>
      <Button small onClick={copy}>
        {copied ? "Copied" : "Copy"}
      </Button>
      <span class="unseen" role="status">
        {copied ? "Code copied" : ""}
      </span>
    </div>
  );
}

/** Copies a text, also without HTTPS, where the clipboard API is missing. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
