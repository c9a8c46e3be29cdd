import { html } from "#platform";
import type { Letter } from "./compose-follow-up.ts";
import { letterDate, letterLanguage } from "./letter-language.ts";
import { letterPage } from "./letter-page.ts";
import { letterWords } from "./letter-words.ts";
import { oneLine } from "./one-line.ts";

export interface DeletionFacts {
  language: string;
  brandName: string;
  at: Date;
  what: "conversation" | "everything";
  /** The id of what stays: that something was deleted, not of whom. */
  receipt: string;
}

/** Tells a person that what they asked to delete is gone. There is nothing left to link to. */
export function composeDeletionNotice(facts: DeletionFacts): Letter {
  const language = letterLanguage(facts.language);
  const words = letterWords(language).deletion;
  const brand = oneLine(facts.brandName);
  const subject = words.subject[facts.what](brand);
  const done = words[facts.what](brand, letterDate(facts.at, language));
  const copies = words.copies(brand);
  const receipt = `${words.receipt}: ${facts.receipt}`;
  return {
    subject,
    text: `${[done, copies, receipt, words.last].join("\n\n")}\n`,
    html: letterPage({
      language,
      title: subject,
      brand,
      body: html`<p style="margin:0 0 12px">${done}</p>
        <p style="margin:0">${copies}</p>`,
      small: html`<p style="margin:0 0 12px">${receipt}</p>
        <p style="margin:0">${words.last}</p>`,
    }),
  };
}
