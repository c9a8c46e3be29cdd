import { expect, it } from "vitest";
import type { Story } from "./story-output.ts";
import { turnEvents } from "./turn-events.ts";

const at = (secs: number): string => `2026-11-16T11:30:${String(secs).padStart(2, "0")}.000Z`;
const event = (
  secs: number,
  kind: string,
  detail: Record<string, unknown> = {},
): Story["events"][number] => ({ at: at(secs), kind, detail });

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

const story = {
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
} as unknown as Story;

it("tells under each turn what the model was told and what became of its reply", () => {
  const { lines, others } = turnEvents(story);
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
  expect(others.map(({ kind }) => kind)).toEqual(["page_seen", "timings", "rating"]);
});

it("leaves what has no turn among the other events, and reads details that it does not know", () => {
  const events = [event(4, "state", { open: "all" }), event(5, "direction", { name: 7 })];
  expect(turnEvents({ ...story, conversation: [], events }).others).toEqual(events);
  const { lines } = turnEvents({ ...story, events });
  expect(lines.get(2)?.map(({ text }) => text)).toEqual(['{"open":"all"}', "?"]);
});
