import { createMetrics } from "#platform";
import { loseDeadProcesses, sweepDeadlines } from "#sessions";
import { captureLog, createLiveWorld, LiveBrowser, sessionRow } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect, onTestFinished, vi } from "vitest";
import type { LiveOptions } from "./live.ts";
import { ScriptedConversation, startLiveUnderTest } from "./live-under-test.ts";

/** The live adapter over a database, and visitors for it. */
async function liveUnderTest(database: TestDatabase, options: Partial<LiveOptions> = {}) {
  const world = await createLiveWorld(database);
  const live = await startLiveUnderTest(world, options);
  return {
    ...live,
    ...world,
    open: () => LiveBrowser.open(live.url),
    enter: async () => {
      const entered = await world.enter(live.url);
      return { ...entered, conversation: live.conversations.at(-1)! };
    },
  };
}

const TURNS = "SELECT role, content, interrupted FROM turns WHERE session_id = $1 ORDER BY seq";

async function storedTurns({ pool }: TestDatabase, id: string): Promise<unknown[]> {
  return (await pool.query(TURNS, [id])).rows;
}

async function storedEvents({ pool }: TestDatabase, id: string): Promise<string[]> {
  const { rows } = await pool.query<{ kind: string }>(
    "SELECT kind FROM session_events WHERE session_id = $1 ORDER BY seq",
    [id],
  );
  return rows.map(({ kind }) => kind);
}

databaseTest("a visitor enters, talks and ends; every turn is stored", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { id, ticket } = await stage.visit();
  const browser = await stage.open();
  expect(browser.socket.protocol).toBe("svc.live.v1");
  expect(await browser.hello(id, { ticket })).toMatchObject({
    session_id: id,
    received: 0,
    sent: 0,
    mode: "text",
    language: "en",
    transcript: [],
    state: "listening",
  });

  const [conversation] = stage.conversations;
  conversation!.onHear = async () => {
    conversation!.listener.state("thinking");
    conversation!.listener.partial({ id: "turn-3", role: "assistant", text: "We" });
    conversation!.say("assistant", "We do.");
    conversation!.listener.state("listening");
  };
  browser.send({ type: "text", text: "Do you export CSV?" });
  await vi.waitFor(() => expect(browser.all("state")).toHaveLength(2));
  expect(browser.all("caption").map(({ text, final }) => [text, final])).toEqual([
    ["Hello, I am an AI guide.", true],
    ["Do you export CSV?", true],
    ["We", false],
    ["We do.", true],
  ]);

  browser.send({ type: "end" });
  expect(await browser.first("ended")).toMatchObject({ reason: "visitor_ended" });
  expect(conversation!.calls.slice(-3)).toEqual(["interrupt", "close", "recap"]);
  expect(await storedTurns(database, id)).toEqual([
    { role: "assistant", content: "Hello, I am an AI guide.", interrupted: false },
    { role: "user", content: "Do you export CSV?", interrupted: false },
    { role: "assistant", content: "We do.", interrupted: false },
  ]);
  expect(await sessionRow(database, id)).toMatchObject({ end_reason: "visitor_ended" });
  expect(await storedEvents(database, id)).toContain("replied");
});

// V2
databaseTest("a lost visitor is back in the same conversation", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { id, ticket } = await stage.visit();
  const before = await stage.open();
  const { resume_token } = await before.hello(id, { ticket });
  const [conversation] = stage.conversations;
  await before.first("caption");
  before.send({ type: "text", text: "I am here" });
  await vi.waitFor(() => expect(before.all("caption")).toHaveLength(2));
  before.socket.terminate();
  await vi.waitFor(async () =>
    expect((await sessionRow(database, id))["return_by"]).not.toBeNull(),
  );
  expect(conversation!.calls).toContain("interrupt");
  conversation!.say("assistant", "You were away.");

  const after = await stage.open();
  const welcome = await after.hello(id, { resume_token }, 2);
  expect(welcome).toMatchObject({ received: 1, sent: 2 });
  expect(welcome.resume_token).not.toBe(resume_token);
  expect(welcome.transcript.map(({ content }) => content)).toEqual([
    "Hello, I am an AI guide.",
    "I am here",
    "You were away.",
  ]);
  expect(await after.first("caption")).toMatchObject({ seq: 3, text: "You were away." });
  await vi.waitFor(async () => expect((await sessionRow(database, id))["return_by"]).toBeNull());
  // V5: what is sent again after the loss is not heard again.
  after.raw({ type: "text", seq: 1, text: "I am here" });
  expect(conversation!.calls.at(-1)).toBe("pick up");
  after.send({ type: "text", text: "And back" });
  await vi.waitFor(() => expect(conversation!.calls.at(-1)).toBe("hear And back"));
  expect(conversation!.calls.filter((call) => call.startsWith("hear"))).toHaveLength(2);
  expect(stage.conversations).toHaveLength(1);
});

databaseTest("a new page is told everything by the welcome alone", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { id, ticket } = await stage.visit();
  const before = await stage.open();
  const { resume_token } = await before.hello(id, { ticket });
  const [conversation] = stage.conversations;
  conversation!.listener.card({ kind: "email", id: "card-1" });
  conversation!.listener.state("speaking");
  await before.first("card");

  const reloaded = await stage.open();
  expect(await reloaded.hello(id, { resume_token })).toMatchObject({
    sent: 3,
    state: "speaking",
    card: { kind: "email", id: "card-1" },
    transcript: [{ role: "assistant", content: "Hello, I am an AI guide." }],
  });
  expect(await before.closed()).toBe(4001);
  conversation!.listener.state("listening");
  expect(await reloaded.first("state")).toMatchObject({ seq: 4 });
  expect(reloaded.messages.map(({ type }) => type)).toEqual(["welcome", "state"]);
});

// V1
databaseTest("a visitor who stays away is given up", async ({ database }) => {
  const stage = await liveUnderTest(database, { times: { returnWithinMs: 200 } });
  const { browser, id } = await stage.enter();
  browser.send({ type: "text", text: "I must go" });
  await vi.waitFor(async () => expect(await storedTurns(database, id)).toHaveLength(2));
  browser.socket.terminate();
  await vi.waitFor(async () =>
    expect(await sessionRow(database, id)).toMatchObject({ end_reason: "visitor_gone" }),
  );
});

databaseTest("a browser that says nothing is lost", async ({ database }) => {
  const stage = await liveUnderTest(database, { times: { pingMs: 50 } });
  const { browser, id } = await stage.enter();
  for (let ping = 0; ping < 6; ping++) {
    browser.raw({ type: "ping", received: 1 });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(browser.closeCode).toBeUndefined();
  expect(browser.all("pong")).toHaveLength(6);
  expect(await browser.closed()).toBe(4006);
  await vi.waitFor(async () => expect(await storedEvents(database, id)).toContain("visitor_lost"));
});

databaseTest("beyond its capacity it refuses, and a free place is taken", async ({ database }) => {
  const stage = await liveUnderTest(database, { capacity: 1 });
  const first = await stage.enter();
  const { id, ticket } = await stage.visit();
  const second = await stage.open();
  await expect(second.hello(id, { ticket })).rejects.toThrow("1013");
  first.browser.send({ type: "end" });
  await first.browser.first("ended");
  const third = await stage.open();
  await third.hello(id, { ticket });
});

// O5
databaseTest("a busy process takes nobody new, and who comes back", async ({ database }) => {
  const stage = await liveUnderTest(database, { loopDelayMs: 300 });
  const calls = [];
  for (let call = 0; call < 5; call += 1) calls.push(await stage.enter());
  const { id, ticket } = await stage.visit();
  const newcomer = await stage.open();
  await expect(newcomer.hello(id, { ticket })).rejects.toThrow("1013");
  const [{ id: mine, browser, welcome }] = calls as [Awaited<ReturnType<typeof stage.enter>>];
  browser.socket.terminate();
  const back = await stage.open();
  await back.hello(mine, { resume_token: welcome.resume_token });
});

databaseTest("one account leaves places for another", async ({ database }) => {
  const other = await createLiveWorld(database);
  const stage = await liveUnderTest(database, { capacity: 4 });
  for (let call = 0; call < 3; call += 1) await stage.enter();
  const { id, ticket } = await stage.visit();
  const flooding = await stage.open();
  await expect(flooding.hello(id, { ticket })).rejects.toThrow("1013");
  await other.enter(stage.url);
});

databaseTest("an account that has fewer calls gets the last places", async ({ database }) => {
  const other = await createLiveWorld(database);
  const stage = await liveUnderTest(database, { capacity: 6 });
  for (let call = 0; call < 4; call += 1) await stage.enter();
  for (let call = 0; call < 2; call += 1) await other.enter(stage.url);
});

databaseTest("sockets without a valid ticket keep nobody out", async ({ database }) => {
  const stage = await liveUnderTest(database, { capacity: 1 });
  const { id } = await stage.visit();
  const flood = await Promise.all(Array.from({ length: 10 }, () => stage.open()));
  const refused = flood.map((one) => one.hello(id, { ticket: "wrong" }).catch(() => {}));
  await stage.enter();
  await Promise.all(refused);
});

databaseTest("an account takes the whole process where there is no other", async ({ database }) => {
  const stage = await liveUnderTest(database, { capacity: 4 });
  for (let call = 0; call < 4; call += 1) await stage.enter();
});

databaseTest("without a share, an account takes the place of another", async ({ database }) => {
  const other = await createLiveWorld(database);
  const stage = await liveUnderTest(database, { capacity: 4, accountShare: 1 });
  for (let call = 0; call < 4; call += 1) await stage.enter();
  await expect(other.enter(stage.url)).rejects.toThrow("1013");
});

// O1
databaseTest("a stopping process tells its visitors to go elsewhere", async ({ database }) => {
  const stage = await liveUnderTest(database, { drainMs: 100 });
  const { browser, id, conversation } = await stage.enter();
  const stopping = stage.live.stop();
  const { id: other, ticket } = await stage.visit();
  const late = await stage.open();
  await expect(late.hello(other, { ticket })).rejects.toThrow("1013");
  await stopping;
  expect(await browser.closed()).toBe(1001);
  expect(conversation.calls.slice(-2)).toEqual(["interrupt", "close"]);
  const row = await sessionRow(database, id);
  expect(row).toMatchObject({ ended_at: null });
  expect(row["return_by"]).not.toBeNull();
  expect((await database.pool.query("SELECT 1 FROM live_processes")).rows).toEqual([]);
});

databaseTest(
  "a stopping process waits for the end of its last conversation",
  async ({ database }) => {
    const stage = await liveUnderTest(database, { drainMs: 6_000 });
    const { browser } = await stage.enter();
    let stopped = false;
    const stopping = stage.live.stop().then(() => (stopped = true));
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    expect(stopped).toBe(false);
    browser.send({ type: "end" });
    expect(await browser.first("ended")).toMatchObject({ reason: "visitor_ended" });
    await stopping;
  },
);

databaseTest(
  "a stopping process moves its conversations one by one, between two turns",
  async ({ database }) => {
    const stage = await liveUnderTest(database, { drainMs: 20_000 });
    const [idle, next] = [await stage.enter(), await stage.enter()];
    const busy = await stage.enter();
    const spoke = await stage.enter();
    spoke.conversation.listener.visitorSpeaks(true);
    const answer = Promise.withResolvers<void>();
    busy.conversation.onHear = () => answer.promise;
    busy.browser.send({ type: "text", text: "How much is it?" });
    await vi.waitFor(() => expect(busy.conversation.calls).toContain("hear How much is it?"));
    const other = await startLiveUnderTest(stage, {});
    const stopping = stage.live.stop();
    expect(await idle.browser.closed()).toBe(1001);
    expect(next.browser.closeCode).toBeUndefined();
    const there = await LiveBrowser.open(other.url);
    await there.hello(idle.id, { resume_token: idle.welcome.resume_token });
    expect(busy.browser.closeCode).toBeUndefined();
    // Their words are still being understood.
    spoke.conversation.listener.visitorSpeaks(false);
    answer.resolve();
    expect(await busy.browser.closed()).toBe(1001);
    expect(spoke.browser.closeCode).toBeUndefined();
    expect(await spoke.browser.closed()).toBe(1001);
    await stopping;
  },
);

databaseTest(
  "what a visitor types while a stopping process lets go is sent to the next one",
  async ({ database }) => {
    const stage = await liveUnderTest(database);
    const { id, browser, welcome, conversation } = await stage.enter();
    const leaving = Promise.withResolvers<void>();
    const silent = Promise.withResolvers<void>();
    conversation.interrupt = async () => {
      leaving.resolve();
      await silent.promise;
    };
    const stopping = stage.live.stop();
    await leaving.promise;
    browser.send({ type: "text", text: "One more thing." });
    browser.raw({ type: "ping", received: 0 });
    await browser.first("pong");
    silent.resolve();
    await stopping;
    const other = await startLiveUnderTest(stage, {});
    const there = await LiveBrowser.open(other.url);
    const again = await there.hello(id, { resume_token: welcome.resume_token }, 1);
    expect(again.received).toBe(0);
  },
);

// V5
databaseTest("another process has taken the session: this one lets go", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { browser, id, conversation } = await stage.enter();
  await expect.poll(() => storedTurns(database, id)).toHaveLength(1);
  await database.pool.query("UPDATE visits SET epoch = epoch + 1");
  browser.send({ type: "text", text: "Who is there?" });
  expect(await browser.closed()).toBe(4001);
  expect(await storedTurns(database, id)).toHaveLength(1);
  expect(conversation.calls).toContain("close");
});

// G1
databaseTest("an erased conversation ends, even in silence", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { id, browser, conversation } = await stage.enter();
  await vi.waitFor(async () => expect(await storedTurns(database, id)).toHaveLength(1));
  await database.pool.query("DELETE FROM turns");
  await database.pool.query("DELETE FROM sessions WHERE id = $1", [id]);
  expect(await browser.closed()).toBe(4001);
  expect(conversation.calls).toContain("close");
  conversation.say("user", "Still here?");
  expect(await storedTurns(database, id)).toEqual([]);
});

databaseTest("metrics tell what happens", async ({ database }) => {
  const metrics = createMetrics();
  const stage = await liveUnderTest(database, { metrics });
  const { browser } = await stage.enter();
  browser.send({ type: "text", text: "Hello" });
  browser.raw("nonsense");
  expect(await browser.closed()).toBe(4000);
  const text = await metrics.metrics();
  expect(text).toContain("svc_live_sessions 1");
  expect(text).toContain('svc_live_turns_total{role="user"} 1');
  expect(text).toContain('svc_live_sockets_closed_total{reason="bad_frame"} 1');
  expect(text).toContain("svc_live_capacity 40");
  expect(text).toContain('svc_provider_up{service="conversation_model"} 1');
  expect(text).not.toContain('service="speech"');
});

databaseTest("the end of a session is one line, without a word of it", async ({ database }) => {
  const { log, lines, text } = captureLog();
  const stage = await liveUnderTest(database, { log });
  const { browser, id, conversation } = await stage.enter();
  conversation.say("user", "My name is Ada.");
  browser.send({ type: "end" });
  await vi.waitFor(() => expect(lines()).toHaveLength(1));
  expect(lines()).toMatchObject([
    {
      level: "info",
      msg: "session ended",
      session: id,
      agent: expect.stringMatching(/^agent_/),
      mode: "text",
      language: "en",
      reason: "visitor_ended",
      durationSecs: expect.any(Number),
      turns: 2,
    },
  ]);
  expect(text()).not.toContain("Ada");
});

databaseTest("a path that is not ours is not upgraded", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const elsewhere = await LiveBrowser.open(stage.url.replace("/live", "/other"));
  expect(await elsewhere.closed()).toBe(1006);
  const answer = await fetch(stage.url.replace("ws", "http"));
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: { code: "not_found" } });
});

// P1, K15
databaseTest("a process that was taken for dead keeps its visitors", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { browser, id } = await stage.enter();
  const pinging = setInterval(() => browser.ping(), 1_000);
  onTestFinished(() => clearInterval(pinging));
  await database.pool.query(
    "UPDATE live_processes SET renewed_at = renewed_at - interval '1 hour'",
  );
  expect(await loseDeadProcesses(database.db)).toBe(1);
  expect((await sessionRow(database, id))["return_by"]).not.toBeNull();
  const swept = await sweepDeadlines(database.db, stage.jobs, {
    limit: 100,
    evaluateWithinSecs: 60,
    onError: (_, error) => expect.fail(String(error)),
  });
  expect(swept).toEqual([]);
  await vi.waitFor(
    async () => expect((await sessionRow(database, id))["return_by"]).toBeNull(),
    5_000,
  );
  expect(browser.closeCode).toBeUndefined();
});

databaseTest("who comes to a broken conversation may come again", async ({ database }) => {
  const stage = await liveUnderTest(database, {
    startConversation: async () => Promise.reject(new Error("no engine")),
  });
  const { id, ticket } = await stage.visit();
  const browser = await stage.open();
  await expect(browser.hello(id, { ticket })).rejects.toThrow("1011");
  expect((await sessionRow(database, id))["return_by"]).not.toBeNull();
});

databaseTest("a conversation that was dropped is taken up again", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { browser, id, welcome } = await stage.enter();
  browser.send({ type: "text", text: "First" });
  await vi.waitFor(async () => expect(await storedTurns(database, id)).toHaveLength(2));
  await database.pool.query("ALTER TABLE turns RENAME TO turned");
  browser.send({ type: "text", text: "Lost" });
  expect(await browser.closed()).toBe(1011);
  await database.pool.query("ALTER TABLE turned RENAME TO turns");

  const back = await stage.open();
  const again = await back.hello(id, { resume_token: welcome.resume_token }, 3);
  // One is left out: the page draws its screen anew.
  expect(again.sent).toBe(4);
  expect(again.transcript.map(({ content }) => content)).toEqual([
    "Hello, I am an AI guide.",
    "First",
  ]);
  expect(stage.conversations[1]!.asked.history).toHaveLength(2);
  back.raw({ type: "text", seq: 3, text: "Third" });
  await vi.waitFor(() => expect(stage.conversations[1]!.calls).toContain("hear Third"));
  expect(back.all("caption").every(({ seq }) => seq > 3)).toBe(true);
});

databaseTest("who never got the first welcome is greeted once", async ({ database }) => {
  const opening = Promise.withResolvers<void>();
  const conversations: ScriptedConversation[] = [];
  const stage = await liveUnderTest(database, {
    startConversation: async (asked) => {
      conversations.push(new ScriptedConversation(asked));
      await opening.promise;
      return conversations[0]!;
    },
  });
  const { id, ticket } = await stage.visit();
  const lost = await stage.open();
  lost.hello(id, { ticket }).catch(() => {});
  await vi.waitFor(() => expect(conversations).toHaveLength(1));
  lost.socket.terminate();
  await new Promise((resolve) => setTimeout(resolve, 100));
  opening.resolve();
  await vi.waitFor(async () => expect(await storedEvents(database, id)).toContain("visitor_lost"));
  const browser = await stage.open();
  await browser.hello(id, { ticket });
  expect(conversations[0]!.calls).toEqual(["interrupt", "begin"]);
});

// K2
databaseTest("who reaches another process goes on there", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { id, browser, welcome, conversation } = await stage.enter();
  conversation.listener.card({ kind: "email", id: "card-1" });
  conversation.unfinished = {
    id: "cut",
    at: new Date(),
    text: "It costs forty euros.",
    heard: 8,
    isWhole: false,
  };
  conversation.listener.state("speaking");
  await vi.waitFor(async () =>
    expect((await database.pool.query("SELECT scene FROM visits")).rows).toMatchObject([
      { scene: { card: { id: "card-1" }, speech: { id: "cut" } } },
    ]),
  );
  const other = await startLiveUnderTest(stage, {});
  const there = await LiveBrowser.open(other.url);
  const again = await there.hello(id, { resume_token: welcome.resume_token }, browser.received);
  expect(again).toMatchObject({
    sent: browser.received + 1,
    card: { id: "card-1" },
    transcript: [
      { role: "assistant", content: "Hello, I am an AI guide." },
      { role: "assistant", content: "It costs", interrupted: true },
    ],
  });
  // The process before says nothing more, and its page is told.
  expect(await browser.closed()).toBe(4001);
  expect(conversation.calls).toContain("close");
  expect(await storedEvents(database, id)).toContain("taken_over");
});

// K3
databaseTest(
  "what a process took and could not store is sent to the next one",
  async ({ database }) => {
    const stage = await liveUnderTest(database);
    const { id, browser, welcome, conversation } = await stage.enter();
    browser.send({ type: "text", text: "First" });
    await vi.waitFor(async () => expect(await storedTurns(database, id)).toHaveLength(2));
    browser.raw({ type: "ping", received: 0 });
    expect(await browser.first("pong")).toMatchObject({ received: 1 });
    conversation.hear = async () => {};
    browser.send({ type: "text", text: "Second" });
    browser.raw({ type: "ping", received: 0 });
    await vi.waitFor(() => expect(browser.all("pong").map((one) => one.received)).toEqual([1, 1]));
    const other = await startLiveUnderTest(stage, {});
    const there = await LiveBrowser.open(other.url);
    const again = await there.hello(id, { resume_token: welcome.resume_token }, 1);
    expect(again.received).toBe(1);
  },
);

databaseTest("who comes back to a process finds no trace of its own past", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { id, welcome, conversation } = await stage.enter();
  const other = await startLiveUnderTest(stage, {});
  const there = await LiveBrowser.open(other.url);
  const { resume_token } = await there.hello(id, { resume_token: welcome.resume_token });
  const back = await stage.open();
  await back.hello(id, { resume_token });
  expect(stage.conversations).toHaveLength(2);
  expect(conversation.calls).toContain("close");
  back.send({ type: "text", text: "Still there?" });
  await vi.waitFor(() => expect(stage.conversations[1]!.calls).toContain("hear Still there?"));
});

databaseTest("who comes back past the end of their time finds it ended", async ({ database }) => {
  const stage = await liveUnderTest(database, {
    startConversation: async (asked) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return new ScriptedConversation(asked);
    },
  });
  const { id, ticket } = await stage.visit();
  await database.pool.query(
    "UPDATE sessions SET connected_at = clock_timestamp() - interval '1 day'",
  );
  const browser = await stage.open();
  browser.hello(id, { ticket }).catch(() => {});
  await vi.waitFor(async () =>
    expect(await sessionRow(database, id)).toMatchObject({ end_reason: "max_duration" }),
  );
});

databaseTest("what a dropped conversation has cost is not forgotten", async ({ database }) => {
  const stage = await liveUnderTest(database);
  const { browser, id, welcome, conversation } = await stage.enter();
  const usage = { inputTokens: 10, outputTokens: 5, costMicros: 60 };
  conversation.listener.usage("first", usage);
  await vi.waitFor(async () =>
    expect(await sessionRow(database, id)).toMatchObject({ cost_micros: "60" }),
  );
  await database.pool.query("ALTER TABLE turns RENAME TO turned");
  browser.send({ type: "text", text: "Lost" });
  expect(await browser.closed()).toBe(1011);
  await database.pool.query("ALTER TABLE turned RENAME TO turns");

  const back = await stage.open();
  await back.hello(id, { resume_token: welcome.resume_token });
  stage.conversations[1]!.listener.usage("first", usage);
  await vi.waitFor(async () =>
    expect(await sessionRow(database, id)).toMatchObject({ cost_micros: "120" }),
  );
  const { rows } = await database.pool.query(
    "SELECT requests, input_tokens::integer AS tokens FROM session_usage",
  );
  expect(rows).toEqual([{ requests: 2, tokens: 20 }]);
});

databaseTest("a call that is given up before it has begun is closed", async ({ database }) => {
  const conversations: ScriptedConversation[] = [];
  const stage = await liveUnderTest(database, {
    startConversation: async (asked) => {
      conversations.push(new ScriptedConversation(asked));
      await database.pool.query("ALTER TABLE session_events RENAME TO told");
      asked.listener.event("voice_lost", {});
      await new Promise((resolve) => setTimeout(resolve, 300));
      return conversations[0]!;
    },
  });
  const { id, ticket } = await stage.visit();
  const browser = await stage.open();
  browser.hello(id, { ticket }).catch(() => {});
  expect(await browser.closed()).toBe(4003);
  expect(conversations[0]!.calls).toEqual(["close"]);
});
