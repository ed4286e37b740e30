// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { Problem } from "../api/call";
import type { Visit } from "../api/types";
import { lease, Pool, quiet, StillRoom, visitOf, Wire } from "./samples";
import { withoutTakenBack } from "./view";
import { Desk } from "./voter-session";

function begin(pool: Pool, room = new StillRoom(), visit = visitOf()): Desk {
  const desk = new Desk(visit, pool, room, "1/v1");
  desk.start();
  return desk;
}

function say(desk: Desk, label: string | null): void {
  const shown = desk.view.queue.hand[0]?.lease;
  if (!shown) throw new Error("nothing in hand");
  desk.answer(shown, label, label === null ? "skip" : "vote", 1);
}

const shown = (desk: Desk) => desk.view.queue.hand.map((one) => one.lease.lease);
const leases = (n: number) => Array.from({ length: n }, (_, place) => lease(place + 1));

describe("work", () => {
  it("goes on at once, and sends behind the scenes with what comes next", async () => {
    const pool = new Pool(leases(6));
    const desk = begin(pool);
    await quiet();
    expect(shown(desk)).toEqual([1, 2, 3]);
    say(desk, "cat");
    expect(shown(desk)).toEqual([2, 3]);
    await quiet();
    expect(shown(desk)).toEqual([2, 3, 4]);
    expect(pool.calls).toEqual(["next", "votes 1"]);
    expect(desk.view).toMatchObject({ votes: 1, earned: 0.5, seconds: 1 });
  });

  it("sends together what was answered meanwhile", async () => {
    const pool = new Pool(leases(6));
    const desk = begin(pool);
    await quiet();
    for (const label of ["cat", "dog", "cat"]) say(desk, label);
    await quiet();
    expect(pool.calls).toEqual(["next", "votes 1", "votes 2 3"]);
    expect(pool.labels()).toEqual({ 1: "cat", 2: "dog", 3: "cat" });
  });

  it("asks again by itself while there is nothing to do", async () => {
    const pool = new Pool([]);
    const room = new StillRoom();
    const desk = begin(pool, room);
    await quiet();
    expect(desk.view.phase).toBe("wait");
    pool.leases = leases(1);
    await room.pass(1000);
    expect([desk.view.phase, shown(desk)]).toEqual(["work", [1]]);
  });

  it("counts an answer that is taken back when it is given anew, also a changed one", async () => {
    const desk = begin(new Pool(leases(3)));
    const stands = () => withoutTakenBack(desk.view, 0.5);
    await quiet();
    say(desk, "cat");
    await quiet();
    for (const label of ["dog", "dog", null]) {
      expect(stands()).toMatchObject({ votes: 1, earned: 0.5 });
      desk.undo();
      expect(stands()).toMatchObject({ votes: 0, earned: 0 });
      say(desk, label);
      await quiet();
    }
    expect(stands()).toMatchObject({ votes: 1, earned: 0.5 }); // it was paid with the first
  });

  it("takes nothing off for an answer that did not count yet", async () => {
    const pool = new Pool(leases(3));
    const desk = begin(pool);
    await quiet();
    pool.down = true;
    say(desk, "cat");
    desk.undo();
    expect(withoutTakenBack(desk.view, 0.5).votes).toBe(0);
  });

  it("looks for work again after the last answer was taken back, changed or not", async () => {
    const pool = new Pool(leases(1));
    const desk = begin(pool);
    await quiet();
    say(desk, null);
    await quiet();
    for (const label of [null, "dog"]) {
      expect(desk.view.phase).toBe("wait");
      desk.undo();
      pool.calls = [];
      say(desk, label);
      await quiet();
      expect(pool.calls).toContain("next");
    }
  });

  it("does not pay what was skipped", async () => {
    const desk = begin(new Pool(leases(2)));
    await quiet();
    say(desk, null);
    await quiet();
    expect(desk.view).toMatchObject({ votes: 0, earned: 0 });
  });

  it("pays an answer instead of a skip, and its changes no more", async () => {
    const desk = begin(new Pool(leases(1)));
    await quiet();
    say(desk, null);
    for (const label of ["cat", "dog"]) {
      await quiet();
      desk.undo();
      say(desk, label);
    }
    await quiet();
    expect(desk.view).toMatchObject({ votes: 1, earned: 0.5 });
  });
});

describe("an audit answer", () => {
  it("cannot be taken back once what others said was shown", async () => {
    const desk = begin(new Pool(leases(2)));
    await quiet();
    say(desk, "cat");
    await quiet();
    expect(desk.noUndo).toBeNull();
    desk.reveal(lease(1).task);
    desk.undo();
    expect([shown(desk), desk.view.message]).toEqual([[2], expect.stringMatching("What others said")]);
  });

  it("stays as it was, and the voter hears why, where the service refuses the change", async () => {
    const pool = new Pool(leases(2));
    const desk = begin(pool);
    await quiet();
    say(desk, "cat");
    await quiet();
    desk.undo();
    pool.amend = () => Promise.reject(new Problem(409, "An audit answer cannot be amended."));
    say(desk, "dog");
    await quiet();
    expect(desk.view.message).toBe("An audit answer cannot be amended.");
    expect([desk.view.queue.outbox, pool.labels()]).toEqual([[], { 1: "cat" }]);
  });
});

describe("a lost connection", () => {
  it("keeps answers, tries again, and counts each once", async () => {
    const pool = new Pool(leases(3));
    const room = new StillRoom();
    const desk = begin(pool, room);
    await quiet();
    pool.down = true;
    say(desk, "cat");
    say(desk, "dog");
    await quiet();
    expect(desk.view.connected).toBe(false);
    expect(desk.view.queue.outbox.length).toBe(2);
    pool.down = false;
    await room.pass(500);
    expect(desk.view).toMatchObject({ connected: true, votes: 2 });
    expect(pool.labels()).toEqual({ 1: "cat", 2: "dog" });
  });

  it("in which only the reply was lost does not double a vote", async () => {
    const pool = new Pool(leases(3));
    const room = new StillRoom();
    const desk = begin(pool, room);
    await quiet();
    pool.loseAnswers = true;
    say(desk, "cat");
    await quiet();
    pool.loseAnswers = false;
    await room.pass(500);
    expect(pool.counted.size).toBe(1);
    expect(desk.view.votes).toBe(1);
  });

  it("then a changed mind: the vote that may have arrived is amended, not sent anew", async () => {
    const pool = new Pool(leases(3));
    const room = new StillRoom();
    const desk = begin(pool, room);
    await quiet();
    pool.loseAnswers = true;
    say(desk, "cat");
    await quiet();
    desk.undo();
    say(desk, "dog");
    pool.loseAnswers = false;
    await room.pass(500);
    expect([pool.labels(), pool.amended]).toEqual([{ 1: "cat" }, [{ vote: 1, label: "dog" }]]);
  });

  it("is tried again ever more slowly", async () => {
    const pool = new Pool(leases(1));
    const room = new StillRoom();
    pool.down = true;
    begin(pool, room);
    await quiet();
    for (const pause of [500, 1000, 2000]) await room.pass(pause);
    expect(pool.calls.length).toBe(4);
    await room.pass(2000);
    expect(pool.calls.length).toBe(4);
  });
});

describe("a page that ends", () => {
  beforeEach(() => localStorage.clear());

  it("leaves an answer whose reply it did not wait for, which was counted before the next one began", async () => {
    const pool = new Pool(leases(3));
    const first = begin(pool, new StillRoom(localStorage, null, "a"));
    await quiet();
    pool.loseAnswers = true;
    say(first, "cat");
    await quiet();
    first.close();
    pool.loseAnswers = false;
    const room = new StillRoom(localStorage, null, "b");
    const progress = { ...visitOf().progress, votes: 1, earned: 0.5 };
    const next = begin(pool, room, visitOf({ progress }));
    await room.pass(300);
    expect([next.view.votes, next.view.earned, localStorage.length]).toEqual([1, 0.5, 0]);
  });

  it("leaves its answers to the next one", async () => {
    const pool = new Pool(leases(3));
    const first = begin(pool, new StillRoom(localStorage, null, "a"));
    await quiet();
    pool.down = true;
    say(first, "cat");
    await quiet();
    first.close();
    pool.down = false;
    const room = new StillRoom(localStorage, null, "b");
    const second = begin(pool, room);
    await room.pass(300);
    expect(pool.labels()).toEqual({ 1: "cat" });
    expect(shown(second)).toEqual([2, 3]);
    expect(localStorage.length).toBe(0);
  });

  it("gives back what it has in hand, but not what it has answered", async () => {
    const pool = new Pool(leases(3));
    const desk = begin(pool);
    await quiet();
    pool.down = true;
    say(desk, "cat");
    desk.leave();
    expect(pool.returned).toEqual([2, 3]);
  });
});

describe("two tabs of one voter", () => {
  beforeEach(() => localStorage.clear());

  async function two(pool: Pool): Promise<[Desk, Desk]> {
    const wire = new Wire();
    const one = begin(pool, new StillRoom(localStorage, wire.channel(), "a"));
    const other = begin(pool, new StillRoom(localStorage, wire.channel(), "b"));
    await quiet();
    return [one, other];
  }

  it("share what is in hand: what one answers leaves the other", async () => {
    const pool = new Pool(leases(4));
    const [one, other] = await two(pool);
    expect(shown(other)).toEqual([1, 2, 3]);
    say(one, "cat");
    expect(shown(other)).toEqual([2, 3]);
    await quiet();
    expect([one.view.votes, other.view.votes]).toEqual([1, 1]);
    say(other, "dog");
    await quiet();
    expect(pool.labels()).toEqual({ 1: "cat", 2: "dog" });
  });

  it("do not give back what the other works on", async () => {
    const pool = new Pool(leases(4));
    const [one, other] = await two(pool);
    one.leave();
    expect(pool.returned).toEqual([]);
    other.leave();
    expect(pool.returned).toEqual([1, 2, 3]);
  });

  it("inherit what the other could not send", async () => {
    const pool = new Pool(leases(4));
    const [one] = await two(pool);
    pool.down = true;
    say(one, "cat");
    await quiet();
    pool.down = false;
    one.leave();
    await quiet();
    expect(pool.labels()).toEqual({ 1: "cat" });
  });
});

describe("what the service refuses", () => {
  it("one wrong answer does not keep the others back", async () => {
    const pool = new Pool(leases(3));
    const desk = begin(pool);
    await quiet();
    const votes = pool.votes.bind(pool);
    pool.votes = async (sent, next) => {
      if (sent.some((one) => one.label === "cow")) throw new Problem(422, "no such label");
      return votes(sent, next);
    };
    for (const label of ["cat", "cow", "dog"]) say(desk, label);
    await quiet();
    expect(pool.labels()).toEqual({ 1: "cat", 3: "dog" });
    expect(desk.view.queue.outbox).toEqual([]);
  });

  it("an old session is renewed; a voter who may not go on is told", async () => {
    const pool = new Pool(leases(3));
    const desk = begin(pool);
    await quiet();
    pool.votes = async () => {
      throw new Problem(403, "this worker may not vote any more");
    };
    say(desk, "cat");
    await quiet();
    expect(pool.calls).toContain("renew");
    expect(desk.view).toMatchObject({ phase: "ended", problem: { status: 403 } });
  });

  it("an answer that comes too late goes quietly", async () => {
    const pool = new Pool(leases(3));
    const desk = begin(pool);
    await quiet();
    pool.leases = pool.leases.slice(1);
    say(desk, "cat");
    await quiet();
    expect(desk.view).toMatchObject({ votes: 0, phase: "work", message: "" });
    expect(desk.view.queue.outbox).toEqual([]);
  });
});

describe("practice", () => {
  const visit = (): Visit => ({ ...visitOf(), progress: { ...visitOf().progress, practice_left: 2 } });
  const known = () => {
    const pool = new Pool(leases(5).map((one) => ({ ...one, practice: one.lease < 3 })));
    pool.practice = new Map([
      [1, "cat"],
      [2, "cat"],
    ]);
    return pool;
  };

  it("keeps the item until its feedback was read, and ends by itself", async () => {
    const desk = begin(known(), new StillRoom(), visit());
    await quiet();
    say(desk, "cat");
    expect(desk.view.queue.held).toMatchObject({ why: "practice", right: null });
    await quiet();
    expect(desk.view.queue.held).toMatchObject({ label: "cat", right: "cat" });
    desk.goOn();
    say(desk, "dog");
    await quiet();
    desk.goOn();
    expect(desk.view.practice).toEqual({ left: 0, done: 2, right: 1, wrong: 1 });
    say(desk, "dog");
    expect([desk.view.queue.held, desk.view.votes]).toEqual([null, 0]);
    await quiet();
    expect(desk.view.votes).toBe(1);
  });

  it("that is skipped tells the answer too, and is not asked for again", async () => {
    const desk = begin(known(), new StillRoom(), visit());
    await quiet();
    say(desk, null);
    await quiet();
    expect(desk.view.queue.held).toMatchObject({ said: "skip", right: "cat" });
    expect(desk.view.practice).toEqual({ left: 1, done: 1, right: 0, wrong: 0 });
  });

  it("is what the service calls so: work before it was expected to end is work", async () => {
    const desk = begin(new Pool(leases(4)), new StillRoom(), visit());
    await quiet();
    say(desk, "cat");
    expect(desk.view.queue.held).toBeNull();
    await quiet();
    expect([desk.view.votes, shown(desk)[0]]).toEqual([1, 2]);
  });

  it("whose reply was lost is neither paid nor the end of practice", async () => {
    const pool = known();
    const room = new StillRoom();
    const desk = begin(pool, room, visit());
    await quiet();
    pool.loseAnswers = true;
    say(desk, "cat");
    await quiet();
    pool.loseAnswers = false;
    await room.pass(500);
    expect(desk.view).toMatchObject({ votes: 0, practice: { left: 1, done: 1 } });
    expect(desk.view.queue.held?.right).not.toBeNull(); // it is explained all the same
  });
});

describe("screening", () => {
  const classes = ["yes", "no"].map((name) => ({ name, definition: "", examples: [], key: null }));
  const questions = ["a", "b"].map((name) => ({ name, text: name, holds: "yes", classes }));
  const visit = (): Visit => ({ ...visitOf(), kind: "screening", questions });

  it("asks the next criterion of an item that holds before another item", async () => {
    const pool = new Pool([lease(1, "a", 11), lease(2, "a", 12)]);
    const desk = begin(pool, new StillRoom(), visit());
    await quiet();
    pool.leases.push(lease(3, "b", 11));
    say(desk, "yes");
    expect(desk.view.queue.held).toMatchObject({ why: "turn", lease: { item: { id: 11 } } });
    await quiet();
    expect([desk.view.queue.held, shown(desk)]).toEqual([null, [3, 2]]);
  });

  it("goes on at once after an answer that excludes, and gives other criteria of the item back", async () => {
    const pool = new Pool([lease(1, "a", 11), lease(2, "b", 11), lease(3, "a", 12)]);
    const desk = begin(pool, new StillRoom(), visit());
    await quiet();
    say(desk, "no");
    expect([desk.view.queue.held, shown(desk), pool.returned]).toEqual([null, [3], [2]]);
  });

  it("asks at once what is in hand already of the same item", async () => {
    const pool = new Pool([lease(1, "a", 11), lease(2, "a", 12), lease(3, "b", 11)]);
    const desk = begin(pool, new StillRoom(), visit());
    await quiet();
    expect(shown(desk)).toEqual([1, 3, 2]);
    say(desk, "yes");
    expect([desk.view.queue.held, shown(desk)]).toEqual([null, [3, 2]]);
  });

  it("does not wait for a service that is away", async () => {
    const pool = new Pool([lease(1, "a", 11), lease(2, "a", 12)]);
    const room = new StillRoom();
    const desk = begin(pool, room, visit());
    await quiet();
    pool.down = true;
    say(desk, "yes");
    await quiet();
    expect([desk.view.queue.held, shown(desk)]).toEqual([null, [2]]);
  });
});

describe("leases", () => {
  it("that run out leave the hand, and the voter is told of the one in view", async () => {
    const pool = new Pool(leases(3));
    const desk = begin(pool);
    await quiet();
    pool.leases = pool.leases.slice(1);
    await desk.heartbeat();
    expect(shown(desk)).toEqual([2, 3]);
    expect(desk.view.message).toMatch("no longer yours");
  });

  it("are prolonged while somebody is there", async () => {
    const room = new StillRoom();
    const desk = begin(new Pool(leases(3)), room);
    await quiet();
    expect(desk.view.until).toBe(room.time + 60_000);
    room.time += 40_000;
    await desk.heartbeat();
    expect(desk.view.until).toBe(room.time + 60_000);
  });

  it("that ran out while the page was out of sight are missed at once", async () => {
    const pool = new Pool(leases(3));
    const desk = begin(pool);
    await quiet();
    pool.leases = [lease(9)];
    desk.back();
    await quiet();
    expect([shown(desk), desk.view.message]).toEqual([[9], "This item is no longer yours; here is the next."]);
  });

  it("that end when the project is paused leave nothing to say when it goes on", async () => {
    const pool = new Pool(leases(2));
    const room = new StillRoom();
    const desk = begin(pool, room);
    await quiet();
    pool.leases = [];
    desk.back();
    await quiet();
    expect(desk.view.phase).toBe("wait");
    pool.leases = leases(3).slice(2);
    await room.pass(1000);
    expect([shown(desk), desk.view.message]).toEqual([[3], ""]);
  });

  it("go back when the voter has had enough", async () => {
    const pool = new Pool(leases(3));
    const desk = begin(pool);
    await quiet();
    desk.finish();
    expect([desk.view.phase, pool.returned]).toEqual(["done", [1, 2, 3]]);
  });

  it("go back too where they come with the reply to the last answer", async () => {
    const pool = new Pool(leases(6));
    const desk = begin(pool);
    await quiet();
    say(desk, "cat");
    desk.finish();
    await quiet();
    expect([desk.view.phase, desk.view.votes, shown(desk)]).toEqual(["done", 1, []]);
    expect(pool.returned).toEqual([2, 3, 4, 5, 6]);
  });
});
