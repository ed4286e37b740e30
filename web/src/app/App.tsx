import { useEffect, useState } from "preact/hooks";
import { get, Problem, remember, type Session } from "../api";
import { Notice } from "../ui";
import { Account } from "./account/Account";
import { Join } from "./join/Join";
import { DesignTask } from "./new-project/DesignTask";
import { ProjectPages } from "./ProjectPages";
import { Projects } from "./projects/Projects";
import { usePlace, useTitle } from "./router";
import { Shell } from "./Shell";
import { SignIn } from "./signin/SignIn";

type Who = Session | "nobody" | null;

/** Who is signed in decides what is shown; the address decides which page. */
export function App() {
  const [who, setWho] = useState<Who>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { parts } = usePlace();
  useEffect(() => {
    find().then(setWho, setProblem);
  }, []);
  const enter = (session: Session) => {
    remember(session.csrf);
    setWho(session);
  };
  if (problem) return <Notice kind="bad">{problem.message}</Notice>;
  if (parts[0] === "join") return <Join onEnter={enter} />;
  if (who === null) return <p class="loading">Loading…</p>;
  if (who === "nobody") return <SignIn onEnter={enter} />;
  return (
    <Shell session={who} onLeave={() => setWho("nobody")}>
      <Page parts={parts} session={who} />
    </Shell>
  );
}

const TITLES: Record<string, string> = { new: "New project", account: "Account" };

function Page({ parts, session }: { parts: string[]; session: Session }) {
  const [first, second] = parts;
  useTitle(first === "projects" && second ? null : (TITLES[first ?? ""] ?? "Projects"));
  if (first === "projects" && second)
    return <ProjectPages id={Number(second)} parts={parts.slice(2)} session={session} />;
  if (first === "new") return <DesignTask />;
  if (first === "account") return <Account session={session} />;
  return <Projects session={session} />;
}

async function find(): Promise<Who> {
  try {
    const session = await get<Session>("/api/session");
    remember(session.csrf);
    return session.account_id === null ? "nobody" : session;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return "nobody";
    throw error;
  }
}
