import { describe, expect, it } from "vitest";
import type { Conversation, Rubric } from "../rubric-of.ts";
import { SYSTEM } from "../prompt.ts";
import { Secrets } from "./secrets.ts";

const RUBRIC: Rubric = {
  names: ["Linden"],
  languages: ["en", "de"],
  defaultLanguage: "en",
  recordLanguage: "de",
  questions: [{ key: "vans", text: "How many vans do you run, as in Project Tamarisk?" }],
  insights: [],
  qualification: { qualified: "They run ten vans or more, see Kestrelfield and Larkspur." },
  knowledge: ["Larkspur plans routes."],
};
const talk = (content: string): Conversation => ({
  turns: [{ role: "user", content, interrupted: false }],
  metadata: {},
});
const secrets = new Secrets(RUBRIC, talk("We run thirty vans."));

// S7
describe("secrets of the rubric", () => {
  it("are not its figures", () => {
    const criteria = { qualified: "データが500GB以上ある。" };
    const figures = new Secrets(
      { ...RUBRIC, defaultLanguage: "ja", qualification: criteria },
      talk(""),
    );
    expect(figures.areLetOutBy("8TBは500GBを大きく超えています。")).toBe(false);
  });

  it.each([
    ["turned by half an alphabet", "Gurl eha gra inaf be zber."],
    ["backwards", "erom ro snav net nur yehT"],
    ["by a name that only the rubric has", "Das Gespräch lief unter Kestrelfield."],
    ["with the judge's own rules", `Kurz gesagt: ${SYSTEM.slice(0, 80)}`],
  ])("are let out %s", (_, text) => {
    expect(secrets.areLetOutBy(text)).toBe(true);
  });

  it.each(["They run ten vans or more.", "Larkspur gefällt ihnen.", "Danke für das Gespräch.", ""])(
    "are not let out by %j",
    (text) => {
      expect(secrets.areLetOutBy(text)).toBe(false);
    },
  );

  it("are none where the visitor says them", () => {
    const said = new Secrets(RUBRIC, talk("We heard of Kestrelfield."));
    expect(said.areLetOutBy("Das Gespräch lief unter Kestrelfield.")).toBe(false);
  });

  it("are repeated by five words in a row", () => {
    expect(secrets.areRepeatedIn("We look for who can run ten vans or more.")).toBe(true);
    expect(secrets.areRepeatedIn("You run ten vans.")).toBe(false);
  });
});
