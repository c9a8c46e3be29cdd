import { Source, wordsOf } from "#language";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeDeletionNotice, composeFollowUp } from "./compose-letter.ts";
import type { FollowUpFacts } from "./compose-letter.ts";

const said = (language: string): FollowUpFacts["said"] => ({
  language,
  owner: [new Source("Rostera plans shifts for twelve people.")],
  ours: [new Source(JSON.stringify(wordsOf([], language)))],
  visitor: [new Source("We are a bakery.")],
});
const FACTS: FollowUpFacts = {
  said: said("en"),
  words: wordsOf([], "en"),
  agentName: "Mira",
  brandName: "Rostera",
  startedAt: new Date("2026-11-15T23:30:00Z"),
  prospectSummary: "You plan shifts for twelve people.\n\nNext month suits you.",
  rightsUrl: "https://svc.example/you/r",
  unsubscribeUrl: "https://svc.example/you/unsubscribe/u",
  allowedHosts: ["rostera.example"],
};

test("a language of the agent's own has nothing English in its letters", () => {
  const words = { ...wordsOf([], "es"), language: "gl" };
  const facts = { ...FACTS, said: said("gl"), words: wordsOf([{ code: "gl", words }], "gl") };
  const { subject, text, html } = composeFollowUp(facts);
  for (const english of Object.values(wordsOf([], "en").mail.follow_up))
    for (const part of english.split(/\{\w+\}/).filter((one) => one.trim().length > 3))
      for (const form of [subject, text, html]) expect(form).not.toContain(part.trim());
  expect(text).toContain(words.mail.follow_up.by_ai);
});

describe("composeFollowUp", () => {
  test("says who wrote it, why it came, and how to read, delete and stop it, in both forms", () => {
    const { subject, text, html } = composeFollowUp(FACTS);
    expect(subject).toBe("Your conversation with Rostera");
    for (const form of [text, html]) {
      expect(form).toContain("You plan shifts for twelve people.");
      expect(form).toContain("An AI wrote this summary.");
      expect(form).toContain(
        "gave this address in a conversation with Rostera on 15 November 2026",
      );
      expect(form).toContain(FACTS.rightsUrl);
      expect(form).toContain(FACTS.unsubscribeUrl);
    }
  });

  test.each([
    ["de-AT", "Ihr Gespräch mit Rostera", "15. November 2026"],
    ["fr", "Votre conversation avec Rostera", "15 novembre 2026"],
    ["es-MX", "Su conversación con Rostera", "15 de noviembre de 2026"],
    ["it", "Your conversation with Rostera", "15 November 2026"],
  ])("speaks %s", (language, subject, date) => {
    const letter = composeFollowUp({
      ...FACTS,
      said: said(language),
      words: wordsOf([], language),
    });
    expect(letter.subject).toBe(subject);
    expect(letter.text).toContain(date);
  });

  test("without anything left of the summary, points to the conversation", () => {
    const { text, html } = composeFollowUp({ ...FACTS, prospectSummary: "Go to evil.example." });
    for (const form of [text, html]) {
      expect(form).toContain("There is no summary this time.");
      expect(form).not.toContain("An AI wrote");
    }
  });

  test("loads a logo over https only, and nothing else", () => {
    const loads = (logoUrl: string): number =>
      [...composeFollowUp({ ...FACTS, logoUrl }).html.matchAll(/src=|url\(|<link|@import/g)].length;
    expect(loads("https://svc.example/logo.png")).toBe(1);
    expect(loads("http://svc.example/logo.png")).toBe(0);
    expect(loads("javascript:alert(1)")).toBe(0);
  });

  test("colours the button as the brand does, with letters that can be read", () => {
    const button = (accent: string): string =>
      /bgcolor="([^"]*)"[^]*?;color:([^"]*)"/
        .exec(
          composeFollowUp({
            ...FACTS,
            accent,
            link: { text: "See plans", url: "https://rostera.example" },
          }).html,
        )!
        .slice(1)
        .join(" ");
    expect(button("#1d4ed8")).toBe("#1d4ed8 #ffffff");
    expect(button("#fd0")).toBe("#ffdd00 #14181f");
    expect(button('red" onclick="')).toBe("#0f766e #ffffff");
  });

  // D8, D9, S8
  test("whatever names and summary hold: one line of subject, no markup of theirs, no foreign link", () => {
    const piece = fc.oneof(
      fc.constantFrom("\r\n", "<", ">", '"', "'", "&", "\0", "\u2028", "evil.example", ". "),
      fc.constantFrom("<img src=x>", "Bcc: a@evil.example", "![x](https://evil.example/p.png)"),
      fc.nat(0x10ffff).map((point) => String.fromCodePoint(point)),
    );
    const hostile = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    const tagsOf = (html: string): string => [...html.matchAll(/<[a-z!/][^\s>]*/gi)].join("");
    const plain = composeFollowUp(FACTS);
    fc.assert(
      fc.property(hostile, hostile, hostile, (brandName, agentName, prospectSummary) => {
        const letter = composeFollowUp({ ...FACTS, brandName, agentName });
        expect(letter.subject).toMatch(
          /^Your conversation with [^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]*$/u,
        );
        expect(letter.subject.length).toBeLessThan(110);
        expect(tagsOf(letter.html)).toBe(tagsOf(plain.html));
        const spoken = composeFollowUp({ ...FACTS, prospectSummary });
        expect(spoken.subject).toBe(plain.subject);
        expect(spoken.html.replaceAll(/&#\d\d;/g, "")).not.toMatch(/<img|evil\.example/);
        expect(spoken.text).not.toContain("evil.example");
      }),
    );
  });
});

const DELETION = {
  brandName: "Rostera\r\nBcc: everybody@example.com",
  at: new Date("2026-11-15T12:00:00Z"),
  what: "conversation",
  receipt: "0198-receipt",
} as const;

test.each([
  ["en", "Deleted: your conversation with Rostera"],
  ["de", "Gelöscht: Ihr Gespräch mit Rostera"],
  ["fr", "Supprimée : votre conversation avec Rostera"],
  ["es", "Borrada: su conversación con Rostera"],
])("a notice of deletion in %s names the receipt and links to nothing", (language, subject) => {
  const letter = composeDeletionNotice({ ...DELETION, words: wordsOf([], language) });
  expect(letter.subject).toBe(`${subject} Bcc: everybody@example.com`);
  for (const form of [letter.text, letter.html]) {
    expect(form).toContain("0198-receipt");
    expect(form).not.toMatch(/href|https?:/);
  }
});

test("it tells one conversation from everything", () => {
  const everything = composeDeletionNotice({
    ...DELETION,
    words: wordsOf([], "en"),
    what: "everything",
  });
  expect(everything.subject).toMatch(/^Deleted: your conversations with/);
  expect(everything.text).toContain("every conversation with Rostera");
});
