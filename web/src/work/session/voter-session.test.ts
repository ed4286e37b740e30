// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { Problem } from "../../api/call";
import type { Visit } from "../../api/types";
import { FakeEnvironment, FakeService, lease, sampleVisit, settled, Wire } from "./samples";
import { excludeTakenBack } from "./view";
import { VoterSession } from "./voter-session";

function begin(pool: FakeService, environment = new FakeEnvironment(), visit = sampleVisit()): VoterSession {
  const session = new VoterSession(visit, pool, environment, "1/v1");
  session.start();
  return session;
}

function say(session: VoterSession, label: string | null): void {
  const shown = session.view.queue.hand[0]?.lease;
  if (!shown) throw new Error("nothing in hand");
  session.answer(shown, label, label === null ? "skip" : "vote", 1);
}

const shown = (session: VoterSession) => session.view.queue.hand.map((entry) => entry.lease.lease);
const leases = (n: number) => Array.from({ length: n }, (_, index) => lease(index + 1));

describe("work", () => {
  it("goes on at once, and sends behind the scenes with what comes next", async () => {
    const pool = new FakeService(leases(6));
    const session = begin(pool);
    await settled();
    expect(shown(session)).toEqual([1, 2, 3]);
    say(session, "cat");
    expect(shown(session)).toEqual([2, 3]);
    await settled();
    expect(shown(session)).toEqual([2, 3, 4]);
    expect(pool.calls).toEqual(["next", "votes 1"]);
    expect(session.view).toMatchObject({ votes: 1, earned: 0.5, seconds: 1 });
  });

  it("sends together what was answered meanwhile", async () => {
    const pool = new FakeService(leases(6));
    const session = begin(pool);
    await settled();
    for (const label of ["cat", "dog", "cat"]) say(session, label);
    await settled();
    expect(pool.calls).toEqual(["next", "votes 1", "votes 2 3"]);
    expect(pool.labels()).toEqual({ 1: "cat", 2: "dog", 3: "cat" });
  });

  it("asks again by itself while there is nothing to do", async () => {
    const pool = new FakeService([]);
    const environment = new FakeEnvironment();
    const session = begin(pool, environment);
    await settled();
    expect(session.view.phase).toBe("wait");
    pool.leases = leases(1);
    await environment.pass(1000);
    expect([session.view.phase, shown(session)]).toEqual(["work", [1]]);
  });

  it("counts an undone answer when it is given again, also a changed one", async () => {
    const session = begin(new FakeService(leases(3)));
    const stands = () => excludeTakenBack(session.view, 0.5);
    await settled();
    say(session, "cat");
    await settled();
    for (const label of ["dog", "dog", null]) {
      expect(stands()).toMatchObject({ votes: 1, earned: 0.5 });
      session.undo();
      expect(stands()).toMatchObject({ votes: 0, earned: 0 });
      say(session, label);
      await settled();
    }
    expect(stands()).toMatchObject({ votes: 1, earned: 0.5 }); // it was paid with the first
  });

  it("takes nothing off for an answer that did not count yet", async () => {
    const pool = new FakeService(leases(3));
    const session = begin(pool);
    await settled();
    pool.down = true;
    say(session, "cat");
    session.undo();
    expect(excludeTakenBack(session.view, 0.5).votes).toBe(0);
  });

  it("looks for work again after the last answer was taken back, changed or not", async () => {
    const pool = new FakeService(leases(1));
    const session = begin(pool);
    await settled();
    say(session, null);
    await settled();
    for (const label of [null, "dog"]) {
      expect(session.view.phase).toBe("wait");
      session.undo();
      pool.calls = [];
      say(session, label);
      await settled();
      expect(pool.calls).toContain("next");
    }
  });

  it("does not pay what was skipped", async () => {
    const session = begin(new FakeService(leases(2)));
    await settled();
    say(session, null);
    await settled();
    expect(session.view).toMatchObject({ votes: 0, earned: 0 });
  });

  it("pays an answer instead of a skip, and its changes no more", async () => {
    const session = begin(new FakeService(leases(1)));
    await settled();
    say(session, null);
    for (const label of ["cat", "dog"]) {
      await settled();
      session.undo();
      say(session, label);
    }
    await settled();
    expect(session.view).toMatchObject({ votes: 1, earned: 0.5 });
  });
});

describe("an audit answer", () => {
  it("cannot be taken back once the other votes were shown", async () => {
    const session = begin(new FakeService(leases(2)));
    await settled();
    say(session, "cat");
    await settled();
    expect(session.noUndo).toBeNull();
    session.reveal(lease(1).task);
    session.undo();
    expect([shown(session), session.view.message]).toEqual([[2], expect.stringMatching("The other votes were shown")]);
  });

  it("stays as it was, and the voter hears why, where the service refuses the change", async () => {
    const pool = new FakeService(leases(2));
    const session = begin(pool);
    await settled();
    say(session, "cat");
    await settled();
    session.undo();
    pool.amend = () => Promise.reject(new Problem(409, "An audit answer cannot be amended."));
    say(session, "dog");
    await settled();
    expect(session.view.message).toBe("An audit answer cannot be amended.");
    expect([session.view.queue.outbox, pool.labels()]).toEqual([[], { 1: "cat" }]);
  });
});

describe("a lost connection", () => {
  it("keeps answers, tries again, and counts each once", async () => {
    const pool = new FakeService(leases(3));
    const environment = new FakeEnvironment();
    const session = begin(pool, environment);
    await settled();
    pool.down = true;
    say(session, "cat");
    say(session, "dog");
    await settled();
    expect(session.view.connected).toBe(false);
    expect(session.view.queue.outbox.length).toBe(2);
    pool.down = false;
    await environment.pass(500);
    expect(session.view).toMatchObject({ connected: true, votes: 2 });
    expect(pool.labels()).toEqual({ 1: "cat", 2: "dog" });
  });

  it("in which only the reply was lost does not double a vote", async () => {
    const pool = new FakeService(leases(3));
    const environment = new FakeEnvironment();
    const session = begin(pool, environment);
    await settled();
    pool.loseAnswers = true;
    say(session, "cat");
    await settled();
    pool.loseAnswers = false;
    await environment.pass(500);
    expect(pool.counted.size).toBe(1);
    expect(session.view.votes).toBe(1);
  });

  it("then a changed mind: the vote that may have arrived is amended, not sent again", async () => {
    const pool = new FakeService(leases(3));
    const environment = new FakeEnvironment();
    const session = begin(pool, environment);
    await settled();
    pool.loseAnswers = true;
    say(session, "cat");
    await settled();
    session.undo();
    say(session, "dog");
    pool.loseAnswers = false;
    await environment.pass(500);
    expect([pool.labels(), pool.amended]).toEqual([{ 1: "cat" }, [{ vote: 1, label: "dog" }]]);
  });

  it("is tried again ever more slowly", async () => {
    const pool = new FakeService(leases(1));
    const environment = new FakeEnvironment();
    pool.down = true;
    begin(pool, environment);
    await settled();
    for (const pause of [500, 1000, 2000]) await environment.pass(pause);
    expect(pool.calls.length).toBe(4);
    await environment.pass(2000);
    expect(pool.calls.length).toBe(4);
  });
});

describe("a page that ends", () => {
  beforeEach(() => localStorage.clear());

  it("leaves an answer whose reply it did not wait for, which was counted before the next one began", async () => {
    const pool = new FakeService(leases(3));
    const first = begin(pool, new FakeEnvironment(localStorage, null, "a"));
    await settled();
    pool.loseAnswers = true;
    say(first, "cat");
    await settled();
    first.close();
    pool.loseAnswers = false;
    const environment = new FakeEnvironment(localStorage, null, "b");
    const progress = { ...sampleVisit().progress, votes: 1, earned: 0.5 };
    const next = begin(pool, environment, sampleVisit({ progress }));
    await environment.pass(300);
    expect([next.view.votes, next.view.earned, localStorage.length]).toEqual([1, 0.5, 0]);
  });

  it("leaves its answers to the next one", async () => {
    const pool = new FakeService(leases(3));
    const first = begin(pool, new FakeEnvironment(localStorage, null, "a"));
    await settled();
    pool.down = true;
    say(first, "cat");
    await settled();
    first.close();
    pool.down = false;
    const environment = new FakeEnvironment(localStorage, null, "b");
    const second = begin(pool, environment);
    await environment.pass(300);
    expect(pool.labels()).toEqual({ 1: "cat" });
    expect(shown(second)).toEqual([2, 3]);
    expect(localStorage.length).toBe(0);
  });

  it("gives back what it has in hand, but not what it has answered", async () => {
    const pool = new FakeService(leases(3));
    const session = begin(pool);
    await settled();
    pool.down = true;
    say(session, "cat");
    session.leave();
    expect(pool.returned).toEqual([2, 3]);
  });
});

describe("two tabs of one voter", () => {
  beforeEach(() => localStorage.clear());

  async function two(pool: FakeService): Promise<[VoterSession, VoterSession]> {
    const wire = new Wire();
    const first = begin(pool, new FakeEnvironment(localStorage, wire.channel(), "a"));
    const other = begin(pool, new FakeEnvironment(localStorage, wire.channel(), "b"));
    await settled();
    return [first, other];
  }

  it("share what is in hand: what one answers leaves the other", async () => {
    const pool = new FakeService(leases(4));
    const [first, other] = await two(pool);
    expect(shown(other)).toEqual([1, 2, 3]);
    say(first, "cat");
    expect(shown(other)).toEqual([2, 3]);
    await settled();
    expect([first.view.votes, other.view.votes]).toEqual([1, 1]);
    say(other, "dog");
    await settled();
    expect(pool.labels()).toEqual({ 1: "cat", 2: "dog" });
  });

  it("do not give back what the other works on", async () => {
    const pool = new FakeService(leases(4));
    const [first, other] = await two(pool);
    first.leave();
    expect(pool.returned).toEqual([]);
    other.leave();
    expect(pool.returned).toEqual([1, 2, 3]);
  });

  it("inherit what the other could not send", async () => {
    const pool = new FakeService(leases(4));
    const [first] = await two(pool);
    pool.down = true;
    say(first, "cat");
    await settled();
    pool.down = false;
    first.leave();
    await settled();
    expect(pool.labels()).toEqual({ 1: "cat" });
  });
});

describe("what the service refuses", () => {
  it("one wrong answer does not keep the others back", async () => {
    const pool = new FakeService(leases(3));
    const session = begin(pool);
    await settled();
    const votes = pool.votes.bind(pool);
    pool.votes = async (sent, next) => {
      if (sent.some((vote) => vote.label === "cow")) throw new Problem(422, "no such label");
      return votes(sent, next);
    };
    for (const label of ["cat", "cow", "dog"]) say(session, label);
    await settled();
    expect(pool.labels()).toEqual({ 1: "cat", 3: "dog" });
    expect(session.view.queue.outbox).toEqual([]);
  });

  it("an old session is renewed; a voter who may not continue is informed", async () => {
    const pool = new FakeService(leases(3));
    const session = begin(pool);
    await settled();
    pool.votes = async () => {
      throw new Problem(403, "this worker may not vote any more");
    };
    say(session, "cat");
    await settled();
    expect(pool.calls).toContain("renew");
    expect(session.view).toMatchObject({ phase: "ended", problem: { status: 403 } });
  });

  it("an answer that comes too late is dropped silently", async () => {
    const pool = new FakeService(leases(3));
    const session = begin(pool);
    await settled();
    pool.leases = pool.leases.slice(1);
    say(session, "cat");
    await settled();
    expect(session.view).toMatchObject({ votes: 0, phase: "work", message: "" });
    expect(session.view.queue.outbox).toEqual([]);
  });
});

describe("practice", () => {
  const visit = (): Visit => ({ ...sampleVisit(), progress: { ...sampleVisit().progress, practice_left: 2 } });
  const practising = () => {
    const pool = new FakeService(leases(5).map((lease) => ({ ...lease, practice: lease.lease < 3 })));
    pool.practice = new Map([
      [1, "cat"],
      [2, "cat"],
    ]);
    return pool;
  };

  it("keeps the item until its feedback was read, and ends by itself", async () => {
    const session = begin(practising(), new FakeEnvironment(), visit());
    await settled();
    say(session, "cat");
    expect(session.view.queue.held).toMatchObject({ why: "practice", right: null });
    await settled();
    expect(session.view.queue.held).toMatchObject({ label: "cat", right: "cat" });
    session.continueAfterFeedback();
    say(session, "dog");
    await settled();
    session.continueAfterFeedback();
    expect(session.view.practice).toEqual({ left: 0, done: 2, right: 1, wrong: 1 });
    say(session, "dog");
    expect([session.view.queue.held, session.view.votes]).toEqual([null, 0]);
    await settled();
    expect(session.view.votes).toBe(1);
  });

  it("that is skipped tells the answer too, and is not asked for again", async () => {
    const session = begin(practising(), new FakeEnvironment(), visit());
    await settled();
    say(session, null);
    await settled();
    expect(session.view.queue.held).toMatchObject({ said: "skip", right: "cat" });
    expect(session.view.practice).toEqual({ left: 1, done: 1, right: 0, wrong: 0 });
  });

  it("is what the service calls so: work before it was expected to end is work", async () => {
    const session = begin(new FakeService(leases(4)), new FakeEnvironment(), visit());
    await settled();
    say(session, "cat");
    expect(session.view.queue.held).toBeNull();
    await settled();
    expect([session.view.votes, shown(session)[0]]).toEqual([1, 2]);
  });

  it("whose reply was lost is neither paid nor the end of practice", async () => {
    const pool = practising();
    const environment = new FakeEnvironment();
    const session = begin(pool, environment, visit());
    await settled();
    pool.loseAnswers = true;
    say(session, "cat");
    await settled();
    pool.loseAnswers = false;
    await environment.pass(500);
    expect(session.view).toMatchObject({ votes: 0, practice: { left: 1, done: 1 } });
    expect(session.view.queue.held?.right).not.toBeNull(); // it is explained all the same
  });
});

describe("screening", () => {
  const classes = ["yes", "no"].map((name) => ({ name, definition: "", examples: [], key: null }));
  const questions = ["a", "b"].map((name) => ({ name, text: name, holds: "yes", classes }));
  const visit = (): Visit => ({ ...sampleVisit(), kind: "screening", questions });

  it("asks the next criterion of an item that holds before another item", async () => {
    const pool = new FakeService([lease(1, "a", 11), lease(2, "a", 12)]);
    const session = begin(pool, new FakeEnvironment(), visit());
    await settled();
    pool.leases.push(lease(3, "b", 11));
    say(session, "yes");
    expect(session.view.queue.held).toMatchObject({ why: "turn", lease: { item: { id: 11 } } });
    await settled();
    expect([session.view.queue.held, shown(session)]).toEqual([null, [3, 2]]);
  });

  it("goes on at once after an answer that excludes, and gives other criteria of the item back", async () => {
    const pool = new FakeService([lease(1, "a", 11), lease(2, "b", 11), lease(3, "a", 12)]);
    const session = begin(pool, new FakeEnvironment(), visit());
    await settled();
    say(session, "no");
    expect([session.view.queue.held, shown(session), pool.returned]).toEqual([null, [3], [2]]);
  });

  it("asks at once what is in hand already of the same item", async () => {
    const pool = new FakeService([lease(1, "a", 11), lease(2, "a", 12), lease(3, "b", 11)]);
    const session = begin(pool, new FakeEnvironment(), visit());
    await settled();
    expect(shown(session)).toEqual([1, 3, 2]);
    say(session, "yes");
    expect([session.view.queue.held, shown(session)]).toEqual([null, [3, 2]]);
  });

  it("does not wait for a service that is away", async () => {
    const pool = new FakeService([lease(1, "a", 11), lease(2, "a", 12)]);
    const environment = new FakeEnvironment();
    const session = begin(pool, environment, visit());
    await settled();
    pool.down = true;
    say(session, "yes");
    await settled();
    expect([session.view.queue.held, shown(session)]).toEqual([null, [2]]);
  });
});

describe("leases", () => {
  it("that expire are removed, with a message for the shown item", async () => {
    const pool = new FakeService(leases(3));
    const session = begin(pool);
    await settled();
    pool.leases = pool.leases.slice(1);
    await session.heartbeat();
    expect(shown(session)).toEqual([2, 3]);
    expect(session.view.message).toMatch("reassigned");
  });

  it("are prolonged while somebody is there", async () => {
    const environment = new FakeEnvironment();
    const session = begin(new FakeService(leases(3)), environment);
    await settled();
    expect(session.view.until).toBe(environment.time + 60_000);
    environment.time += 40_000;
    await session.heartbeat();
    expect(session.view.until).toBe(environment.time + 60_000);
  });

  it("that ran out while the page was out of sight are missed at once", async () => {
    const pool = new FakeService(leases(3));
    const session = begin(pool);
    await settled();
    pool.leases = [lease(9)];
    session.back();
    await settled();
    expect([shown(session), session.view.message]).toEqual([[9], "This item was reassigned. Here is the next one."]);
  });

  it("that end when the project is paused leave nothing to say when it goes on", async () => {
    const pool = new FakeService(leases(2));
    const environment = new FakeEnvironment();
    const session = begin(pool, environment);
    await settled();
    pool.leases = [];
    session.back();
    await settled();
    expect(session.view.phase).toBe("wait");
    pool.leases = leases(3).slice(2);
    await environment.pass(1000);
    expect([shown(session), session.view.message]).toEqual([[3], ""]);
  });

  it("go back when the voter has had enough", async () => {
    const pool = new FakeService(leases(3));
    const session = begin(pool);
    await settled();
    session.finish();
    expect([session.view.phase, pool.returned]).toEqual(["done", [1, 2, 3]]);
  });

  it("go back too where they come with the reply to the last answer", async () => {
    const pool = new FakeService(leases(6));
    const session = begin(pool);
    await settled();
    say(session, "cat");
    session.finish();
    await settled();
    expect([session.view.phase, session.view.votes, shown(session)]).toEqual(["done", 1, []]);
    expect(pool.returned).toEqual([2, 3, 4, 5, 6]);
  });
});
