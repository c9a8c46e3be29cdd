import type { Words } from "@svc/contract/types";
import de from "@svc/contract/words/de.json" with { type: "json" };
import en from "@svc/contract/words/en.json" with { type: "json" };
import { beforeEach, expect, test, vi } from "vitest";
import { loadTexts } from "./load-texts.ts";

const BUILT_IN: Record<string, Words> = { en, de };

vi.mock("./load-chunk.ts", () => ({
  isBuiltIn: (name: string) => Object.hasOwn(BUILT_IN, name.split("-")[1]!),
  loadChunk: async (name: string) => {
    const words = BUILT_IN[name.split("-")[1]!]!;
    return { strings: words.call, later: async () => words };
  },
}));

const ARABIC = { ...en, call: { ...en.call, talk: "تحدث" }, cards: { ...en.cards, close: "إغلاق" } };
const words_url = "https://api.example.com/words/ar.json";
const agent = {
  languages: [
    { code: "ar", notice: "", words_url },
    { code: "fi", notice: "" },
  ],
};
const fetched = vi.fn<(url: string) => Promise<Response>>();

/** A text that is there from the start, and one that comes later. */
async function read(language: string): Promise<[talk: string, close: string]> {
  const { strings, later } = await loadTexts(agent, language);
  return [strings.talk, (await later()).cards.close];
}

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});

test("a region reads its built-in language, and a language without words English", async () => {
  expect(await read("de-AT")).toEqual(["Sprechen", "Schließen"]);
  expect(await read("fi")).toEqual(["Talk", "Close"]);
  expect(fetched).not.toHaveBeenCalled();
});

test("words that the agent brings are fetched once, for the start and for later", async () => {
  fetched.mockResolvedValue(Response.json(ARABIC));
  expect(await read("ar")).toEqual(["تحدث", "إغلاق"]);
  expect(fetched).toHaveBeenCalledExactlyOnceWith(words_url);
});

test.each([
  ["cannot be reached", () => Promise.reject(new TypeError("away"))],
  ["are gone", async () => new Response("{}", { status: 404 })],
  ["are no JSON", async () => new Response("<html>")],
  ["are something else", async () => Response.json({ error: "not_found" })],
])("English is read where they %s", async (_, answer) => {
  fetched.mockImplementation(answer);
  expect(await read("ar")).toEqual(["Talk", "Close"]);
});
