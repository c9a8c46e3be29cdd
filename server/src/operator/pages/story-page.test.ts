import { describe, expect, it } from "vitest";
import { Story } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { renderStory } from "./story-page.ts";
import { turnEvents, withTurns } from "./turn-events.ts";

const terminal = { width: 80, color: false, nowMs: Date.parse("2026-11-15T12:00:00.000Z") };

const edge = {
  session_id: "01932c1e-0000-7000-8000-000000000001",
  created_at: "2026-11-15T11:20:00.001Z",
  waits_for: "evaluation" as const,
  until: "2026-11-15T12:03:00.000Z",
  overdue: false,
  held: 12,
};

const story: types.Story = {
  id: "01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f",
  account: { client_id: "client_aa", name: "Acme" },
  agent: { id: "agent_aa", slug: "guide", version: 3 },
  status: "processed",
  test: false,
  created_at: "2026-11-15T11:30:00.001Z",
  connect_by: "2026-11-15T11:31:00.000Z",
  ended_at: "2026-11-15T11:34:00.000Z",
  end_reason: "visitor_ended",
  settled_at: "2026-11-15T11:34:05.000Z",
  duration_secs: 221,
  email: "ada@example.com",
  email_verified: true,
  metadata: { plan: "team", note: "two\nlines\u001b[31mred" },
  conversation: [
    {
      role: "assistant",
      content: "Hello, I am an AI guide. What",
      interrupted: true,
      at: "2026-11-15T11:30:01.000Z",
    },
    { role: "user", content: "What does it cost?", at: "2026-11-15T11:30:04.500Z" },
  ],
  events: [{ at: "2026-11-15T11:32:10.000Z", kind: "card.closed", detail: { slide: 2 } }],
  evaluations: [
    {
      version: 1,
      state: "written",
      requested_at: "2026-11-15T11:34:00.000Z",
      finished_at: "2026-11-15T11:34:05.000Z",
      model: "large",
      input_tokens: 5_120,
      output_tokens: 412,
      dropped: [{ where: "insights.budget", why: "not_heard" }],
    },
  ],
  summary: "They asked for the price.",
  evaluation: {
    qualification: { status: "qualified", reasoning: "A team of twelve." },
    questions: { team_size: { was_asked: true, was_answered: false } },
    objections: [{ objection: "the price" }],
  },
  export: { mode: "settled_prefix", state: "exported" },
};

it("reads from top to bottom", () => {
  expect(Story.parse(story)).toEqual(story);
  expect(renderStory(story, terminal)).toBe(
    `Session 01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f
status    processed
account   Acme (client_aa)
agent     guide, version 3 (agent_aa)
started   29 min ago (2026-11-15T11:30:00.001Z)
ended     26 min ago (2026-11-15T11:34:00.000Z)
ended by  visitor_ended
settled   25 min ago (2026-11-15T11:34:05.000Z)
length    3m 41s
email     ada@example.com (its domain accepts mail)
metadata  plan = team
          note = two lines [31mred
export    In the export.

Conversation
00:00  agent    Hello, I am an AI guide. What — (interrupted)
00:04  visitor  What does it cost?

Events
02:09  card.closed  {"slide":2}

Evaluations
VERSION  STATE    TOOK  MODEL  TOKENS IN  OUT  LEFT OUT  FAILURE
      1  written    5s  large      5,120  412         1

Left out of version 1, for want of evidence:
  insights.budget: not_heard

Summary
They asked for the price.

Judgement
qualification.status              qualified
qualification.reasoning           A team of twelve.
questions.team_size.was_asked     yes
questions.team_size.was_answered  no
objections.1.objection            the price`,
  );
});

it("tells under a turn what was held and done in it, and only other events apart", () => {
  const at = "2026-11-15T11:30:00.500Z";
  const told = [
    { at, kind: "state", detail: { open: ["team_size"], language: "en", mode: "text" } },
    { at, kind: "held", detail: { code: "money", try: 1 } },
  ];
  expect(
    renderStory(
      { ...story, events: withTurns(story.conversation, [...told, ...story.events]) },
      terminal,
    ),
  ).toContain(
    `Conversation
00:00  agent    Hello, I am an AI guide. What — (interrupted)
                state     open team_size · en by text
                held      money
00:04  visitor  What does it cost?

Events
02:09  card.closed`,
  );
});

describe("says of the export", () => {
  const { ended_at: _, end_reason: __, settled_at: ___, ...open } = story;
  const waiting = {
    waits_for: "conversation" as const,
    until: "2026-11-15T12:10:00.000Z",
    overdue: false,
  };
  it.each<[string, Partial<types.Story>, string]>([
    [
      "that a session is held, and by what",
      { export: { mode: "settled_prefix", state: "held" }, edge },
      `Not yet. Held at session ${edge.session_id}, which waits for its evaluation, due in 3 min. 12 finished sessions wait behind it. Readers who have passed`,
    ],
    [
      "that a test session never is in it",
      { test: true, export: { mode: "settled_prefix", state: "test" } },
      "Never: it is a test session.",
    ],
    [
      "that an export row is missing",
      { export: { mode: "settled_prefix", state: "missing" } },
      "Missing, though the session is settled.",
    ],
  ])("%s", (_what, change, words) => {
    expect(oneLine(renderStory({ ...story, ...change }, terminal))).toContain(words);
  });

  it.each<[string, Partial<types.Story>, string]>([
    [
      "what an open session waits for",
      {},
      "it waits for the end of its conversation, due in 10 min.",
    ],
    [
      "that an overdue one is overdue",
      { waiting: { ...waiting, until: "2026-11-15T11:50:00.000Z", overdue: true } },
      "was due 10 min ago.",
    ],
    [
      "that an open session holds the others",
      { edge: { ...edge, session_id: story.id } },
      "Meanwhile it holds the export: 12 finished sessions wait behind it.",
    ],
  ])("%s", (_what, change, words) => {
    const active: types.Story = {
      ...open,
      status: "active",
      waiting,
      export: { mode: "settled_prefix", state: "not_settled" },
      ...change,
    };
    expect(oneLine(renderStory(active, terminal))).toContain(words);
  });
});

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

it("shows where the visitor was, what they accepted, and what it cost", () => {
  const started = {
    ...story,
    page: "https://www.example.com/pricing",
    language: "de",
    mode: "text" as const,
    notice: {
      sha256: "ab".repeat(32),
      accepted_at: "2026-11-15T11:30:00.000Z",
      served_sha256: "cd".repeat(32),
      received_at: "2026-11-15T11:30:01.000Z",
      other_text: true as const,
    },
    cost_micros: 12_300,
  };
  expect(Story.safeParse(started).success).toBe(true);
  const page = renderStory(started, terminal).replaceAll(/ +/g, " ");
  expect(page).toContain("on https://www.example.com/pricing");
  expect(oneLine(page)).toMatch(/notice accepted .*, received .*, another text than the agent's/);
  expect(page).toContain("spoken de, by text");
  expect(page).toContain("cost 0.0123");
});

it("draws what answers by voice took, apart from the other events", () => {
  const times = { transcript_ms: 300, end_of_turn_ms: 400, first_token_ms: 700 };
  const detail = { turn: "a2", ...times, first_audio_ms: 850, playback_ms: 900 };
  const timed = { at: "2026-11-15T11:30:06.000Z", kind: "timings", detail };
  const spoken = { ...story, mode: "voice" as const, language: "en" };
  const page = renderStory({ ...spoken, events: [timed, ...story.events] }, terminal);
  expect(page).toContain("spoken    en, by voice");
  expect(page).toContain(
    `Answers
t transcript, e end of turn, m model, v voice, p playback; a letter is 20 ms
00:05  ttttttttttttttteeeeemmmmmmmmmmmmmmmvvvvvvvvpp  900 ms
p50 900 ms, p95 900 ms

Events
02:09  card.closed`,
  );
});

describe("the events of a turn", () => {
  const at = (secs: number): string => `2026-11-16T11:30:${String(secs).padStart(2, "0")}.000Z`;
  const event = (
    secs: number,
    kind: string,
    detail: Record<string, unknown> = {},
  ): types.Story["events"][number] => ({ at: at(secs), kind, detail });

  const STATE = {
    date: "2026-11-16",
    language: "en",
    mode: "text",
    words: 90,
    minutes_left: 14,
    open: ["timeline"],
    asked: [],
    answered: { team_size: "around 40 people" },
    shown: ["prices"],
    email: "open",
    mail: "follows",
  };

  const talk = {
    conversation: [
      { role: "assistant", content: "Hello.", at: at(1) },
      { role: "user", content: "What does it cost?", at: at(4) },
      { role: "assistant", content: "Here are the plans.", at: at(6) },
      { role: "user", content: "Bye", at: at(10) },
    ],
    events: [
      event(0, "page_seen"),
      event(4, "state", STATE),
      event(5, "held", { code: "money", try: 1 }),
      event(5, "second_try", { code: "money" }),
      event(6, "held", { code: "figure", try: 2 }),
      event(6, "direction", { name: "show", value: "prices", done: true }),
      event(6, "content_shown", { id: "prices" }),
      event(6, "direction", { name: "bye", done: false, why: "the visitor wrote it" }),
      event(7, "verifier", { asked: 5, ok: 4, late: 0 }),
      event(7, "reply", { first_text_ms: 1_320, whole_ms: 2_000, held: 2, tried_again: true }),
      event(7, "timings", { turn: "a" }),
      event(8, "rating", { stars: 5 }),
      event(10, "state", { ...STATE, open: [], email: "none", mail: "none" }),
      event(11, "reply", { whole_ms: 20, cut: true }),
    ],
  } as unknown as types.Story;

  const placed = (told: types.Story): types.Story => ({
    ...told,
    events: withTurns(told.conversation, told.events),
  });

  it("tells under each turn what the model was told and what became of its reply", () => {
    const { lines, others } = turnEvents(placed(talk));
    const told = [...lines].map(([turn, all]) => [
      turn,
      all.map(({ title, text }) => `${title}: ${text}`),
    ]);
    expect(told).toEqual([
      [
        2,
        [
          "state: open timeline · answered team_size · shown prices · email open · mail follows · en by text · 90 words · 14 min left",
          "did: show prices",
          "refused: bye (the visitor wrote it)",
          "held: money; figure (second try)",
          "again: second try, after money",
          "verifier: asked 5 · ok 4",
          "reply: first text 1,320 ms · whole 2,000 ms · held 2 · tried again",
        ],
      ],
      // Nothing was heard in answer to it.
      [
        3,
        [
          "state: answered team_size · shown prices · en by text · 90 words · 14 min left",
          "reply: whole 20 ms · cut",
        ],
      ],
    ]);
    expect(others.map(({ kind }) => kind)).toEqual(["page_seen", "rating"]);
  });

  it("leaves what has no turn among the other events, and reads details that it does not know", () => {
    const events = [event(4, "state", { open: "all" }), event(5, "direction", { name: 7 })];
    expect(turnEvents(placed({ ...talk, conversation: [], events })).others).toEqual(events);
    const { lines } = turnEvents(placed({ ...talk, events }));
    expect(lines.get(2)?.map(({ text }) => text)).toEqual(['{"open":"all"}', "?"]);
  });
});
