import type { Talk } from "@svc/rehearsal";
import { language as spoken } from "@svc/server/testing";
import { describe, expect, it } from "vitest";
import { judgeTalk, modelsOfShell, reportOf } from "./live-talks.ts";
import type { JudgedTalk } from "./live-talks.ts";
import type { PlayedTalk } from "./play-talk.ts";
import { scoreTurn } from "./score-turn.ts";

const meant = [
  { say: "Team is 19 euros a seat (and month).", must: "pass" as const },
  { say: "It's free for you.", must: "hold" as const },
  { say: "Anything else?", must: "pass" as const },
];

it("tells which sentences a visitor read, whatever white space is between them", () => {
  const read = "Team is 19 euros\na seat (and month).Anything else?";
  const { fates, added } = scoreTurn(meant, read, "en");
  expect(fates).toEqual(["reached", "dropped", "reached"]);
  expect(added).toEqual([]);
});

it("tells a sentence that was changed from one that the server added", () => {
  const read = "Team is 17 euros a seat (and month). Please ask our people.";
  const { fates, added } = scoreTurn(meant, read, "en");
  expect(fates).toEqual(["altered", "dropped", "dropped"]);
  expect(added).toEqual(["Please ask our people."]);
});

it("takes a short sentence inside of a longer one for the longer one only", () => {
  const both = [
    { say: "Goodbye!", must: "pass" as const },
    { say: "Thanks, and Goodbye!", must: "pass" as const },
  ];
  expect(scoreTurn(both, "Thanks, and Goodbye!", "en").fates).toEqual(["dropped", "reached"]);
});

describe("a talk with a real model", () => {
  const talk: Talk = {
    id: "en-test",
    agent: "test",
    language: "en",
    today: "2026-11-16",
    turns: [
      {
        visitor: "What do 12 seats cost?",
        reply: { sentences: [{ say: "12 seats are 1,900 euros a year.", must: "pass" }] },
        session: "goes_on",
      },
      {
        visitor: "And support?",
        reply: { sentences: [{ say: "It is free.", must: "hold" }] },
        session: "ended",
      },
    ],
  };
  const usage = { input: 0, output: 0, costMicros: 0 };
  const judge = (reads: string[], notes: PlayedTalk["notes"] = []): JudgedTalk => {
    const turn = { requests: 0, vetoes: 0, firstWordMs: 5, opened: [], kept: "" };
    const turns = reads.map((read) => ({ ...turn, read }));
    const played = { talk, sessionId: "s", sentences: [], turns, notes };
    return judgeTalk(played, "19 euros. See https://a.example/b.", { events: [], usage });
  };

  it("has an answer where a figure of the recorded one is told, however it is written", () => {
    const [first, second] = judge(["That is 1.900 euros.", "By mail."]).turns;
    expect(first).toMatchObject({ isAnswered: true, isRefused: false, told: { count: 1, of: 1 } });
    expect(second).toMatchObject({ isAnswered: true, isRefused: false });
  });

  it.each(["I don't know the price of 12 seats.", "", spoken.wordsOf([], "en").spoken.do_not_know])(
    "is refused wrongly where none is told: %s",
    (read) => {
      const [first] = judge([read]).turns;
      expect(first).toMatchObject({ isRefused: true, isAnswered: read.includes("12") });
    },
  );

  it("invents what stands in no source: figures and links", () => {
    const text = "19 or 20 euros; see https://a.example/b, https://c.example or x@d.example.";
    expect(judge([text]).turns[0]?.invented).toEqual(["https://c.example", "x@d.example", "20"]);
  });

  it("asks again in the same words", () => {
    const [first, second] = judge(["1,900. How many are you?", "Yes. How many are you?"]).turns;
    expect([first?.askedAgain, second?.askedAgain]).toEqual([[], ["How many are you?"]]);
  });

  it("ends well or not, and the report says so", () => {
    const notes = [{ turn: 1, what: "not ended" as const, text: "after a goodbye" }];
    const judged = [judge(["1,900.", "Bye!"]), judge(["20.", "Bye!"], notes)];
    expect(judged.map(({ ended }) => ended)).toEqual(["well", "not ended: after a goodbye"]);
    const shell = { SVC_MODEL_URL: "https://key@models.example/v1", SVC_CONVERSATION_MODEL: "m" };
    const report = reportOf(judged, modelsOfShell({ ...shell, SVC_PORT: "1" }));
    expect(report).toContain("| ended well | 1 of 2 |");
    expect(report).toContain("⚠ invented, in no source: 20");
    expect(report).not.toContain("key@");
  });

  it("needs a model that is named", () => {
    expect(() => modelsOfShell({ SVC_MODEL_URL: "http://127.0.0.1:1/v1" })).toThrow("is named");
  });
});
