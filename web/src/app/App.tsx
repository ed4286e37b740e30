import { useEffect, useState } from "preact/hooks";
import { get, Problem, type Session, setCsrf } from "../api";
import { Notice } from "../ui";
import { Account } from "./account/Account";
import { Join } from "./join/Join";
import { NewProject } from "./new-project/NewProject";
import { ProjectPages } from "./ProjectPages";
import { Projects } from "./projects/Projects";
import { useRoute, useTitle } from "./router";
import { Shell } from "./Shell";
import { SignIn } from "./signin/SignIn";

type SignedIn = Session | "nobody" | null;

/** The dashboard: the session decides whether to sign in, the address decides on the page. */
export function App() {
  const [who, setWho] = useState<SignedIn>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { parts } = useRoute();
  useEffect(() => {
    findSession().then(setWho, setProblem);
  }, []);
  const enter = (session: Session) => {
    setCsrf(session.csrf);
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
  if (first === "new") return <NewProject />;
  if (first === "account") return <Account session={session} />;
  return <Projects session={session} />;
}

async function findSession(): Promise<SignedIn> {
  try {
    const session = await get<Session>("/api/session");
    setCsrf(session.csrf);
    return session.account_id === null ? "nobody" : session;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return "nobody";
    throw error;
  }
}
