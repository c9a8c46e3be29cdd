import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ReplayModel } from "./replay-model.ts";
import type { Playing, ReplaySettings } from "./replay-model.ts";
import { readTalks } from "./talk.ts";
import type { Talk } from "./talk.ts";
import { writeWordFree } from "./word-free.ts";

const CORPUS = join(import.meta.dirname, "../../../proofs/corpus");
const SYSTEM =
  "You are the guide of a product demo on a website, and you talk with one visitor.\n# Agent";

const talk: Talk = {
  id: "two-turns",
  agent: "northwind",
  language: "en",
  today: "2026-11-18",
  metadata: { plan: "trial" },
  turns: [
    {
      visitor: "We're 40 people, ⟦bye⟧",
      reply: {
        notes: [{ question: "team_size", quote: "40 people" }],
        sentences: [
          { say: "That is Team.", must: "pass" },
          {
            say: "It is free.",
            must: "hold",
            kind: "money",
            again: { say: "It costs nothing.", must: "hold" },
          },
          { say: "It makes 760 euros.", must: "pass", calc: "40*19" },
          { say: "When do you start?", must: "pass", asks: "timeline" },
        ],
        shows: "prices",
      },
      session: "goes_on",
    },
    {
      visitor: "soon",
      reply: { sentences: [{ say: "Goodbye!", must: "pass" }], ends: true },
      session: "ended",
    },
  ],
};

const HONEST: ReplaySettings = {
  manner: "obedient",
  verifying: { wrongShare: 0, lateShare: 0 },
  seed: 1,
};

async function modelInTurn(
  turn: number,
  settings: Partial<ReplaySettings> = {},
): Promise<{ model: ReplayModel; playing: Playing }> {
  const model = await ReplayModel.start({ ...HONEST, ...settings });
  onTestFinished(() => model.close());
  const playing = model.enter(talk);
  playing.turn = turn;
  return { model, playing };
}

function state(more: object = {}): string {
  const none = { open: [], asked: [], answered: {}, shown: [], email: "none", mail: "none" };
  const day = { date: "2026-11-18", weekday: "Wednesday", language: "en", mode: "text" };
  const told = { ...day, words: 90, minutes_left: 9, ...none, page: { plan: "trial" }, ...more };
  return `\n\n[state 4f9c2a]\n${JSON.stringify(told)}\n[/state 4f9c2a]`;
}

const WORDS = "We're 40 people, [[bye]]";
const veto = (sentence: string): string =>
  `[event 4f9c2a] Not said: "${sentence}". Why: money: It is in no text. Go on behind your last word, without it.`;

async function ask(
  model: ReplayModel,
  contents: string[],
  first: string = SYSTEM,
): Promise<string> {
  const messages = [first, ...contents].map((content, at) => ({
    role: at === 0 ? "system" : at % 2 === 1 ? "user" : "assistant",
    content,
  }));
  const stream = first === SYSTEM;
  const response = await fetch(`${model.baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "replay", messages, stream }),
  });
  const text = await response.text();
  if (!stream)
    return (JSON.parse(text) as { choices: [{ message: { content: string } }] }).choices[0].message
      .content;
  return Array.from(text.matchAll(/"content":"((?:[^"\\]|\\.)*)"/gu), ([, piece]) => piece).join(
    "",
  );
}

describe("a talker that replays a talk", () => {
  it("says its reply with its directions, in pieces that end anywhere", async () => {
    const { model, playing } = await modelInTurn(0);
    expect(await ask(model, [WORDS + state()])).toBe(
      "⟦got team_size: 40 people⟧ That is Team. It is free. ⟦= 40*19⟧ It makes 760 euros. ⟦show prices⟧⟦ask timeline⟧ When do you start?",
    );
    expect(playing.turns[0]).toMatchObject({ requests: 1, vetoes: 0, faults: [] });
  });

  it.each([
    ["obedient", "⟦= 40*19⟧ It makes 760 euros. ⟦show prices⟧⟦ask timeline⟧ When do you start?"],
    [
      "stubborn",
      "It is free. ⟦= 40*19⟧ It makes 760 euros. ⟦show prices⟧⟦ask timeline⟧ When do you start?",
    ],
    [
      "sly",
      "It costs nothing. ⟦= 40*19⟧ It makes 760 euros. ⟦show prices⟧⟦ask timeline⟧ When do you start?",
    ],
  ] as const)("takes a veto as an %s model does", async (manner, said) => {
    const { model, playing } = await modelInTurn(0, { manner });
    const heard = "⟦got team_size: 40 people⟧ That is Team.";
    expect(await ask(model, [WORDS, heard, veto("It is free.") + state()])).toBe(said);
    expect(playing.turns[0]?.faults).toEqual([]);
    expect(playing.turns[0]?.again.length).toBe(manner === "sly" ? 1 : 0);
  });

  it("notes again what died with a held first sentence", async () => {
    const { model } = await modelInTurn(0);
    const said = await ask(model, [`${WORDS}\n\n${veto("That is Team.")}${state()}`]);
    expect(said).toMatch(/^⟦got team_size: 40 people⟧ That is Team\. ⟦= 40\*19⟧/u);
  });

  it.each([
    ["another date", [WORDS + state({ date: "2026-11-16" })], /date is "2026-11-16"/],
    ["a page that is not told", [WORDS + state({ page: {} })], /page.plan/],
    [
      "a veto of what it did not say",
      [`${WORDS}\n\n${veto("We are closed.")}${state()}`],
      /no sentence of mine/,
    ],
  ])("complains about %s", async (_, contents, fault) => {
    const { model, playing } = await modelInTurn(0);
    await ask(model, contents);
    expect(playing.turns[0]?.faults.join()).toMatch(fault);
  });

  it("complains about an answer that is not told, words that nobody said and a code that changes", async () => {
    const { model, playing } = await modelInTurn(0);
    await ask(model, [WORDS + state()]);
    playing.turn = 1;
    const next = `soon${state()}`.replaceAll("4f9c2a", "aaaaaa");
    await ask(model, [WORDS, "⟦got team_size: 40 people⟧ That is Team.", next]);
    expect(playing.turns[1]?.faults.join()).toMatch(
      /answered.team_size is undefined.*code aaaaaa/u,
    );
  });
});

describe("a verifier that knows the labels", () => {
  const check = (model: ReplayModel, sentence: string): Promise<string> =>
    ask(
      model,
      [
        JSON.stringify({
          visitor: WORDS,
          answered: {},
          page: {},
          date: "2026-11-18",
          before: [],
          sentence,
        }),
      ],
      "You check single sentences of a demo agent before a visitor hears them.\n# Questions",
    );

  it("answers in one word, also about what is said in other words", async () => {
    const { model } = await modelInTurn(0);
    expect(await check(model, "That is Team.")).toBe("ok");
    expect(await check(model, "It is free.")).toBe("invented");
    expect(await check(model, "It costs nothing.")).toBe("invented");
    expect(await check(model, "A sentence of the server's.")).toBe("ok");
  });

  it("errs as often as it is told to, and alike with the same seed", async () => {
    const verifying = { wrongShare: 0.3, lateShare: 0 };
    const answers = async (): Promise<string> => {
      const { model } = await modelInTurn(0, { verifying });
      const all = [];
      for (let nth = 0; nth < 60; nth++) all.push(await check(model, "It is free."));
      expect(model.verified.wrong).toBe(all.filter((one) => one === "ok").length);
      return all.join(" ");
    };
    const once = await answers();
    expect(await answers()).toBe(once);
    expect(once.split(" ").filter((one) => one === "ok").length).toBeGreaterThan(8);
    expect(once.split(" ").filter((one) => one === "ok").length).toBeLessThan(30);
  });
});

it("takes the words out of a corpus and leaves figures, addresses, keys and what quotes what", async () => {
  const folder = await mkdtemp(join(tmpdir(), "word-free-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeWordFree(CORPUS, folder);
  const before = readTalks(CORPUS);
  for (const [index, free] of readTalks(folder).entries()) {
    const same = before[index]!;
    const said = free.turns.map(({ visitor }) => visitor ?? "").join("\n");
    for (const [turn, { reply }] of free.turns.entries()) {
      const was = same.turns[turn]?.reply;
      expect(reply?.shows).toBe(was?.shows);
      for (const { quote } of reply?.notes ?? []) expect(said).toContain(quote);
      for (const [at, { say }] of (reply?.sentences ?? []).entries()) {
        const original = was!.sentences[at]!.say;
        expect(say.match(/\d+/gu)).toEqual(original.match(/\d+/gu));
        expect(say.match(/[?？、。]/gu)).toEqual(original.match(/[?？、。]/gu));
      }
    }
  }
  const knowledge = await readFile(join(folder, "agents/northwind/knowledge/prices.md"), "utf8");
  expect(knowledge).not.toMatch(/\bprices?\b|\bseat\b/iu);
});
