import { expect, test } from "vitest";
import { composeDeletionNotice } from "./compose-deletion-notice.ts";

const FACTS = {
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
  const letter = composeDeletionNotice({ ...FACTS, language });
  expect(letter.subject).toBe(`${subject} Bcc: everybody@example.com`);
  for (const form of [letter.text, letter.html]) {
    expect(form).toContain("0198-receipt");
    expect(form).not.toMatch(/href|https?:/);
  }
});

test("it tells one conversation from everything", () => {
  const everything = composeDeletionNotice({ ...FACTS, language: "en", what: "everything" });
  expect(everything.subject).toMatch(/^Deleted: your conversations with/);
  expect(everything.text).toContain("every conversation with Rostera");
});
