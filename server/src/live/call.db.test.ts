import type { AgentConfig } from "#agents";
import { createLiveWorld, LiveBrowser, sessionRow } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, vi } from "vitest";
import type { LiveOptions } from "./live.ts";
import { startLiveUnderTest } from "./live-under-test.ts";

/** The live adapter over a database, and a visitor who has entered. */
async function inACall(
  database: TestDatabase,
  { agent, ...options }: Partial<LiveOptions> & { agent?: Partial<AgentConfig> } = {},
) {
  const world = await createLiveWorld(database, agent);
  const live = await startLiveUnderTest(world, options);
  const enter = async () => {
    const entered = await world.enter(live.url);
    return { ...entered, conversation: live.conversations.at(-1)! };
  };
  return { ...(await enter()), enter, agentId: world.customer.agent.agentId };
}

databaseTest("a rating may follow the end, once", async ({ database }) => {
  const { browser, id } = await inACall(database, { times: { ratingMs: 300 } });

  browser.send({ type: "end" });
  await browser.first("ended");
  browser.send({ type: "text", text: "One more thing" });
  browser.send({ type: "rating", stars: 5, comment: "Helpful" });
  browser.send({ type: "rating", stars: 1 });
  expect(await browser.closed()).toBe(1000);
  const { rows } = await database.pool.query(
    "SELECT detail FROM session_events WHERE session_id = $1 AND kind = 'rating'",
    [id],
  );
  expect(rows).toEqual([{ detail: { stars: 5, comment: "Helpful" } }]);
  expect((await database.pool.query("SELECT 1 FROM turns")).rowCount).toBe(1);
});

databaseTest("a recap follows the end, unless no model can be reached", async ({ database }) => {
  const { enter, ...first } = await inACall(database);
  first.conversation.recapLines = ["You saw how it works."];
  first.browser.send({ type: "end" });
  expect(await first.browser.first("recap")).toMatchObject({ lines: ["You saw how it works."] });
  expect(first.conversation.calls.slice(-2)).toEqual(["close", "recap"]);

  const { browser, conversation } = await enter();
  conversation.listener.ended("server_fault");
  await browser.first("ended");
  expect(conversation.calls).not.toContain("recap");
});

databaseTest("nobody does anything: a warning, then the end", async ({ database }) => {
  const times = { idleWarningMs: 150, idleEndMs: 300 };
  const { browser, id, conversation } = await inACall(database, { times });

  conversation.listener.card({ kind: "email", id: "card-1" });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(browser.all("warning")).toEqual([]);
  // A visitor who does not look at the card is not busy with it.
  browser.send({ type: "visibility", visible: false });
  expect(await browser.first("warning")).toMatchObject({ warning: "idle" });
  expect(await browser.first("ended")).toMatchObject({ reason: "silence" });
  expect(await sessionRow(database, id)).toMatchObject({ end_reason: "silence" });
});

databaseTest(
  "the longest conversation is announced, wrapped up and ended",
  async ({ database }) => {
    const { browser, id, conversation } = await inACall(database, {
      agent: { limits: { maxMinutes: 0.01 } },
      times: { timeWarningMs: 300 },
    });
    expect(await browser.first("warning")).toMatchObject({ warning: "time" });
    expect(await browser.first("ended")).toMatchObject({ reason: "max_duration" });
    expect(conversation.calls).toContain("wrap up time");
    expect(browser.all("caption").at(-1)).toMatchObject({ text: "We have to stop here." });
    expect(await sessionRow(database, id)).toMatchObject({ end_reason: "max_duration" });
  },
);

// L6
databaseTest("an address counts when the visitor has confirmed it", async ({ database }) => {
  const { browser, id, conversation } = await inACall(database);

  conversation.listener.card({ kind: "email", id: "card-1", prefill: "ada at example.com" });
  const card = await browser.first("card");
  expect(card).toMatchObject({ card: { prefill: "ada at example.com" } });

  browser.send({ type: "card_result", card_id: "card-1", action: "confirmed", value: "ada" });
  await vi.waitFor(() =>
    expect(browser.all("card").at(-1)).toMatchObject({ card: { id: "card-1", prefill: "ada" } }),
  );
  expect(await sessionRow(database, id)).toMatchObject({ email: null });

  browser.send({
    type: "card_result",
    card_id: "card-1",
    action: "confirmed",
    value: "Ada@Example.com",
  });
  await vi.waitFor(() => expect(conversation.calls).toContain("settle confirmed"));
  expect(await sessionRow(database, id)).toMatchObject({
    email: "ada@example.com",
    metadata: { email: "ada@example.com" },
  });
  // A card that is gone takes no second answer.
  browser.send({ type: "card_result", card_id: "card-1", action: "confirmed", value: "b@b.com" });
  browser.send({ type: "text", text: "Done" });
  await vi.waitFor(() => expect(conversation.calls).toContain("hear Done"));
  expect(await sessionRow(database, id)).toMatchObject({ email: "ada@example.com" });
});

describe("what is said about mail", () => {
  const confirm = (value: string, card_id = "card-1") =>
    ({ type: "card_result", card_id, action: "confirmed", value }) as const;

  /** A visitor with a card open, and what name servers say of each domain. */
  async function asked(
    database: TestDatabase,
    domains: Record<string, boolean | undefined | Promise<boolean | undefined>>,
    isOn = true,
  ) {
    const expectMail = async (id: string) => {
      const { email } = await sessionRow(database, id);
      return { isOn, address: typeof email === "string" ? email : undefined, verified: null };
    };
    const accepts = async (domain: string) => domains[domain];
    const call = await inACall(database, { mail: { expect: expectMail, accepts } });
    call.browser.send({ type: "text", text: "Hello" });
    call.conversation.listener.card({ kind: "email", id: "card-1" });
    await call.browser.first("card");
    const openCard = () => call.browser.all("card").at(-1)!.card;
    const end = async () => {
      call.browser.send({ type: "end" });
      return call.browser.first("ended");
    };
    return { ...call, openCard, end };
  }

  databaseTest("the end names the address that is mailed", async ({ database }) => {
    const { browser, conversation, end } = await asked(database, { "example.com": true });
    browser.send(confirm("Ada@example.com"));
    await vi.waitFor(() => expect(conversation.calls).toContain("settle confirmed, mail follows"));
    expect(await end()).toMatchObject({ mail_to: "ada@example.com" });
  });

  databaseTest.for([
    ["mail is off", true, false],
    ["nobody knows whether its domain accepts mail", undefined, true],
  ] as const)("no address is named where %s", async ([, accepts, isOn], { database }) => {
    const { browser, conversation, end } = await asked(database, { "example.com": accepts }, isOn);
    browser.send(confirm("ada@example.com"));
    await vi.waitFor(() => expect(conversation.calls).toContain("settle confirmed"));
    expect(await end()).not.toHaveProperty("mail_to");
    expect(browser.all("card").at(-1)).toMatchObject({ card: null });
  });

  databaseTest("no address is named to a visitor who said nothing", async ({ database }) => {
    const expected = { isOn: true, address: "ada@example.com", verified: true };
    const { browser } = await inACall(database, {
      mail: { expect: async () => expected, accepts: async () => true },
    });
    browser.send({ type: "end" });
    expect(await browser.first("ended")).not.toHaveProperty("mail_to");
  });

  databaseTest("a domain that accepts no mail opens the card again, once", async ({ database }) => {
    const domains = { "gmial.con": false, "gmail.com": true };
    const { browser, conversation, id, openCard, end } = await asked(database, domains);
    browser.send(confirm("Jo@gmial.con"));
    await vi.waitFor(() =>
      expect(openCard()).toMatchObject({
        prefill: "Jo@gmial.con",
        doubt: { domain: "gmial.con", suggestion: "Jo@gmail.com" },
      }),
    );
    expect(conversation.calls).not.toContain("settle confirmed");
    expect(await sessionRow(database, id)).toMatchObject({ email: "jo@gmial.con" });

    browser.send(confirm("Jo@gmial.con", "card-again"));
    await vi.waitFor(() => expect(conversation.calls).toContain("settle confirmed"));
    expect(openCard()).toBeNull();
    expect(await sessionRow(database, id)).toMatchObject({ email: "jo@gmial.con" });
    expect(await end()).not.toHaveProperty("mail_to");
  });

  databaseTest("the suggestion is used when the visitor takes it", async ({ database }) => {
    const domains = { "gmial.con": false, "gmail.com": true };
    const { browser, conversation, id, openCard, end } = await asked(database, domains);
    browser.send(confirm("jo@gmial.con"));
    await vi.waitFor(() => expect(openCard()).toMatchObject({ id: "card-again" }));
    browser.send(confirm("jo@gmail.com", "card-again"));
    await vi.waitFor(() => expect(conversation.calls).toContain("settle confirmed, mail follows"));
    expect(await sessionRow(database, id)).toMatchObject({ email: "jo@gmail.com" });
    expect(await end()).toMatchObject({ mail_to: "jo@gmail.com" });
  });

  databaseTest("a suggestion that accepts no mail either is not made", async ({ database }) => {
    const { browser, openCard } = await asked(database, { "a.con": false, "a.com": false });
    browser.send(confirm("jo@a.con"));
    await vi.waitFor(() => expect(openCard()).toMatchObject({ doubt: { domain: "a.con" } }));
    expect(openCard()).not.toHaveProperty("doubt.suggestion");
  });

  databaseTest("a slow no comes while the visitor is there, or never", async ({ database }) => {
    const slow = Promise.withResolvers<boolean>();
    const first = await asked(database, { "a.example": slow.promise });
    const second = await asked(database, { "a.example": slow.promise });
    for (const { browser, conversation } of [first, second]) {
      browser.send(confirm("jo@a.example"));
      await vi.waitFor(() => expect(conversation.calls).toContain("settle confirmed"), 5_000);
    }
    await second.end();
    slow.resolve(false);
    await vi.waitFor(() =>
      expect(first.openCard()).toMatchObject({ doubt: { domain: "a.example" } }),
    );
    expect(second.openCard()).toBeNull();
  });
});

// L9
databaseTest("what it costs is added up, and too much ends it politely", async ({ database }) => {
  const { enter } = await inACall(database);
  await database.pool.query("UPDATE accounts SET limits = '{\"cost_micros_per_session\": 100}'");
  const { browser, id, conversation } = await enter();

  const usage = { inputTokens: 10, outputTokens: 5, costMicros: 60 };
  conversation.listener.usage("first", usage);
  conversation.listener.usage("second", { ...usage, costMicros: 30 });
  conversation.listener.usage("first", usage);
  expect(await browser.first("ended")).toMatchObject({ reason: "max_cost" });
  expect(conversation.calls).toContain("wrap up cost");
  expect(await sessionRow(database, id)).toMatchObject({
    cost_micros: "150",
    end_reason: "max_cost",
  });
  const { rows } = await database.pool.query(
    "SELECT model, requests, cost_micros::integer AS micros FROM session_usage ORDER BY model",
  );
  expect(rows).toEqual([
    { model: "first", requests: 2, micros: 120 },
    { model: "second", requests: 1, micros: 30 },
  ]);
  const days = await database.pool.query("SELECT cost_micros::integer AS micros FROM agent_days");
  expect(days.rows).toEqual([{ micros: 150 }]);
});

databaseTest("content comes with an address to load it from", async ({ database }) => {
  const file = { path: "a.md", sha256: "ab".repeat(32), size: 3, mediaType: "text/markdown" };
  const content = [{ id: "snippet", title: "The snippet", kind: "markdown" as const, file }];
  const { browser, conversation, agentId } = await inACall(database, { agent: { content } });

  conversation.listener.content("snippet");
  conversation.listener.content("unknown");
  expect((await browser.first("content")).content).toEqual({
    id: "snippet",
    title: "The snippet",
    kind: "markdown",
    url: `https://svc.example.com/sdk/v1/agents/${agentId}/files/${file.sha256}`,
  });
  expect(browser.all("content")).toHaveLength(1);
});

databaseTest("a turn has the pages of its facts, also after a takeover", async ({ database }) => {
  const world = await createLiveWorld(database, { allowedOrigins: ["http://shop.test"] });
  const page = { title: "Prices", url: "https://example.com/prices" };
  const own = { title: "Export", url: "http://shop.test/export" };
  const knowledge = [
    { name: "plain.md#Plans", text: "" },
    { name: "prices.md#Plans", text: "", page },
    { name: "prices.md#Discounts", text: "", page },
    { name: "data.md", text: "", page: own },
    { name: "wiki.md", text: "", page: { title: "Wiki", url: "http://wiki.test/" } },
  ];
  const agents = {
    read: async () => ({ config: world.config, knowledge }),
    searchIn: () => async () => [],
  };
  const live = await startLiveUnderTest(world, { agents });
  const { browser, id, welcome } = await world.enter(live.url);
  const [conversation] = live.conversations;
  const { listener } = conversation!;
  const cite = (turn: string, ...sections: string[]): void =>
    listener.event("sources", { turn, sections });
  cite("none", "plain.md#Plans");
  cite("none", "wiki.md");
  cite("none", "gone.md");
  conversation!.say("assistant", "Nobody can look this up.", false, "none");
  cite("both", "plain.md#Plans", "prices.md#Plans");
  listener.partial({ id: "both", role: "assistant", text: "It costs 29 euros." });
  cite("both", "prices.md#Discounts");
  cite("both", "data.md");
  conversation!.say("assistant", "It costs 29 euros. A page has 100.", false, "both");
  await vi.waitFor(() => expect(browser.all("caption")).toHaveLength(4));
  const captions = browser.all("caption").slice(1);
  expect(captions.map(({ sources }) => sources)).toEqual([undefined, [page], [page, own]]);

  const other = await startLiveUnderTest(world, { agents });
  const there = await LiveBrowser.open(other.url);
  await vi.waitFor(async () =>
    expect((await database.pool.query("SELECT 1 FROM turns")).rowCount).toBe(3),
  );
  const again = await there.hello(id, { resume_token: welcome.resume_token });
  expect(again.sources).toEqual({ 2: [page, own] });
  // The transcript has what the specification says, and no more.
  expect(again.transcript.at(-1)).toEqual({
    role: "assistant",
    content: "It costs 29 euros. A page has 100.",
  });
});

databaseTest("a place is told once, and what became of it is known", async ({ database }) => {
  const place = { selector: "#plans", confirm: true };
  const content = [
    { id: "plans", title: "Plans", kind: "place" as const, link: "/prices", place },
    { id: "film", title: "Film", kind: "video" as const, link: "https://acme.example/film.mp4" },
  ];
  const { browser, conversation, id } = await inACall(database, { agent: { content } });
  const results = (): string[] => conversation.calls.filter((call) => call.startsWith("place"));
  const scene = async (): Promise<unknown> => {
    const { rows } = await database.pool.query<{ scene: object }>(
      "SELECT scene FROM visits WHERE session_id = $1",
      [id],
    );
    return rows[0]?.scene;
  };

  conversation.listener.content("plans");
  const shown = (await browser.first("content")).content;
  expect(shown).toMatchObject({ id: "plans", title: "Plans", kind: "place", url: "/prices" });
  const { cue } = shown.place!;
  await expect.poll(scene).toMatchObject({ content: "plans", cue });
  browser.send({ type: "place_result", cue: "another", state: "missing" });
  browser.send({ type: "place_result", cue, state: "shown" });
  browser.send({ type: "place_result", cue, state: "shown" });
  browser.send({ type: "place_result", cue, state: "gone" });
  browser.send({ type: "place_result", cue, state: "declined" });
  await expect.poll(results).toEqual(["place plans: shown", "place plans: gone"]);
  await expect.poll(scene).not.toHaveProperty("cue");

  conversation.listener.content("plans");
  conversation.listener.content("film");
  await expect.poll(() => browser.all("content").length).toBe(3);
  const again = browser.all("content")[1]!.content.place!.cue;
  expect(again).not.toBe(cue);
  browser.send({ type: "place_result", cue: again, state: "gone" });
  browser.send({ type: "text", text: "Good." });
  await expect.poll(() => conversation.calls).toContain("hear Good.");
  expect(results()).toHaveLength(2);
});

databaseTest(
  "agent and visitor share the step of a tour, and it is stored",
  async ({ database }) => {
    const file = { path: "t.yaml", sha256: "ab".repeat(32), size: 3, mediaType: "text/yaml" };
    const tour = { id: "tour", title: "Tour", kind: "tour" as const, file, slide: file };
    const { browser, conversation, id } = await inACall(database, {
      agent: { content: [{ ...tour, steps: ["First", "Second", "Third"] }] },
    });
    const steps = (): unknown[] => browser.all("content").map(({ content }) => content.step);

    conversation.listener.content("tour/2");
    conversation.listener.content("tour/4");
    browser.send({ type: "step", id: "tour", at: 4, cue: "nowhere" });
    browser.send({ type: "step", id: "tour", at: 3, cue: "c1" });
    browser.send({ type: "step", id: "tour", at: 3, cue: "c2" });
    await expect.poll(steps).toEqual([
      { at: 2, of: 3 },
      { at: 3, of: 3, cue: "c1" },
      { at: 3, of: 3, cue: "c2" },
    ]);
    conversation.listener.content("tour");
    await expect.poll(() => steps().at(-1)).toEqual({ at: 1, of: 3, cue: "c2" });
    expect(conversation.calls.filter((call) => call.startsWith("step"))).toEqual(["step tour/3"]);
    const scene = "SELECT scene FROM visits WHERE session_id = $1";
    await expect
      .poll(async () => (await database.pool.query(scene, [id])).rows[0])
      .toMatchObject({ scene: { content: "tour/1", cue: "c2" } });
  },
);

databaseTest(
  "a page is asked for its actions, and for one only after a yes",
  async ({ database }) => {
    const action = {
      describe: "Opens it.",
      title: "Open",
      params: [],
      confirm: true,
      perMinute: 6,
    };
    const actions = [{ id: "open", ...action }];
    const { browser, conversation } = await inACall(database, { agent: { actions } });
    expect(await browser.first("page")).toMatchObject({ actions: ["open"] });
    browser.send({ type: "page_actions", names: ["open"] });
    await expect.poll(() => conversation.calls).toContain("offer open");

    conversation.listener.card({
      kind: "action",
      id: "c1",
      name: "open",
      title: "Open",
      params: {},
    });
    browser.send({ type: "card_result", card_id: "other", action: "confirmed" });
    browser.send({ type: "card_result", card_id: "c1", action: "confirmed" });
    await expect.poll(() => conversation.calls.at(-1)).toBe("settle agreed");
    expect(browser.all("action")).toEqual([]);

    conversation.listener.action({ cue: "a1", name: "open", params: { rows: 3 } });
    expect(await browser.first("action")).toMatchObject({ cue: "a1", params: { rows: 3 } });
    browser.send({ type: "action_result", cue: "a1", state: "done", text: "12 rows" });
    await expect.poll(() => conversation.calls.at(-1)).toBe("action a1: done");
  },
);

databaseTest("slides and captions follow the visitor's language", async ({ database }) => {
  const file = (sha: string) => ({
    path: `content/${sha}.md`,
    sha256: sha.repeat(32),
    size: 3,
    mediaType: "text/markdown",
  });
  const content = [
    {
      id: "prices",
      title: "Prices",
      kind: "markdown" as const,
      file: file("ab"),
      languages: [{ code: "it", title: "Prezzi", file: file("cd") }],
    },
    { id: "plain", title: "Plain", kind: "markdown" as const, file: file("ef") },
  ];
  const { browser, conversation } = await inACall(database, { agent: { content } });
  const { listener } = conversation;
  const shown = (): unknown[] =>
    browser.all("content").map((one) => [one.content.title, one.content.url.slice(-4)]);

  listener.content("prices");
  listener.language("it-CH");
  listener.language("fr");
  listener.content("plain");
  listener.language("it");
  conversation.say("assistant", "Ecco.");
  await expect
    .poll(() => browser.all("caption").at(-1))
    .toMatchObject({ text: "Ecco.", language: "it" });
  expect(browser.all("caption")[0]).not.toHaveProperty("language");
  expect(shown()).toEqual([
    ["Prices", "abab"],
    ["Prezzi", "cdcd"],
    ["Prices", "abab"],
    ["Plain", "efef"],
  ]);
});

databaseTest("the agent ends, and a conversation that breaks ends too", async ({ database }) => {
  const first = await inACall(database);
  first.conversation.listener.ended("agent_ended");
  expect(await first.browser.first("ended")).toMatchObject({ reason: "agent_ended" });
  const second = await first.enter();
  second.conversation.onHear = async () => Promise.reject(new Error("out of words"));
  second.browser.send({ type: "text", text: "Hello?" });
  expect(await second.browser.first("ended")).toMatchObject({ reason: "server_fault" });
});
