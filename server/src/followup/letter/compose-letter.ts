import { directionOf, fillWords, joinSentences, longDate } from "#language";
import { html } from "#platform";
import type { Html } from "#platform";
import type { Words } from "@svc/contract/types";
import { cleanSummary } from "./clean-summary.ts";
import type { SaidInTalk } from "./dictation.ts";
import { letterPage } from "./letter-page.ts";

export interface FollowUpFacts {
  /** Its language is that of the summary, such as `de-AT`. */
  said: SaidInTalk;
  words: Words;
  agentName: string;
  brandName: string;
  /** The brand's colour, in hex. */
  accent?: string;
  /** Shown if it is https. */
  logoUrl?: string;
  /** When the conversation started. */
  startedAt: Date;
  /** The text that a model wrote to the visitor: the only part of the mail that is not ours. */
  prospectSummary: string;
  rightsUrl: string;
  /** Where the page behind the first link shows what was said only after a confirmation. */
  confirmUrl?: string;
  unsubscribeUrl: string;
  /** Hosts that the summary may name. */
  allowedHosts: readonly string[];
  /** The brand's own link, as a button. */
  link?: { text: string; url: string };
}

export interface Letter {
  subject: string;
  text: string;
  html: string;
}

/** The mail to a prospect. Its subject contains the brand's name and nothing from the conversation. */
export function composeFollowUp(facts: FollowUpFacts): Letter {
  const words = facts.words.mail.follow_up;
  const brand = oneLine(facts.brandName);
  const subject = fillWords(words.subject, { brand });
  const thanks = fillWords(words.thanks, { agent: oneLine(facts.agentName), brand });
  const why = fillWords(words.why, { brand, date: longDate(facts.startedAt, facts.words) });
  const reasons = joinSentences(why, words.not_you);
  const unsubscribe = fillWords(words.unsubscribe, { brand });
  const summary = cleanSummary(facts.prospectSummary, facts.allowedHosts, facts.said);
  const { link, confirmUrl } = facts;

  const text = [
    thanks,
    ...(summary === "" ? [words.no_summary] : [summary, words.by_ai]),
    ...(link === undefined ? [] : [link.url]),
    `${words.rights}:\n${facts.rightsUrl}`,
    ...(confirmUrl === undefined ? [] : [`${words.confirm}:\n${confirmUrl}`]),
    "-----",
    reasons,
    `${unsubscribe}:\n${facts.unsubscribeUrl}`,
  ].join("\n\n");

  const page = letterPage({
    language: facts.words.language,
    direction: directionOf(facts.words),
    title: subject,
    brand,
    accent: facts.accent,
    logoUrl: facts.logoUrl,
    body: html`<p style="margin:0 0 24px">${thanks}</p>
      ${summary === "" ? html`<p style="margin:0 0 24px">${words.no_summary}</p>` : message(summary, facts.said.language, words.by_ai)}`,
    button: link && { text: oneLine(link.text), url: link.url },
    after: html`<p style="margin:0">
        <a class="ink" href="${facts.rightsUrl}" style="color:#14181f">${words.rights}</a>
      </p>
      ${
        confirmUrl === undefined
          ? undefined
          : html`<p style="margin:12px 0 0">
              <a class="ink" href="${confirmUrl}" style="color:#14181f">${words.confirm}</a>
            </p>`
      }`,
    small: html`<p style="margin:0 0 12px">${reasons}</p>
      <p style="margin:0">
        <a class="quiet" href="${facts.unsubscribeUrl}" style="color:#5b6472">${unsubscribe}</a>
      </p>`,
  });
  return { subject, text: `${text}\n`, html: page };
}

/** On a background of its own, so that nobody takes a model's words for ours. */
function message(summary: string, language: string, byAi: string): Html {
  const paragraphs = summary.split(/\n\n+/).map((paragraph) => paragraph.split("\n"));
  return html`<table
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:0 0 24px"
  >
    <tr>
      <td class="wash" style="background-color:#f5f7f9;border-radius:14px;padding:20px 24px">
        <div lang="${language}" dir="auto">
          ${paragraphs.map(
            (lines) =>
              html`<p style="margin:0 0 12px">
                ${lines.map((line, index) => (index === 0 ? line : [html`<br />`, line]))}
              </p>`,
          )}
        </div>
        <p class="quiet" style="margin:0;color:#5b6472;font-size:13px">${byAi}</p>
      </td>
    </tr>
  </table>`;
}

export interface DeletionFacts {
  words: Words;
  brandName: string;
  at: Date;
  what: "conversation" | "everything";
  /** The id of the receipt, which records that something was deleted but not whose data it was. */
  receipt: string;
}

/**
 * Tells a person that the data they asked to delete has been deleted. It contains no links, because
 * there is nothing left to link to.
 */
export function composeDeletionNotice(facts: DeletionFacts): Letter {
  const words = facts.words.mail.deletion;
  const brand = oneLine(facts.brandName);
  const subject = fillWords(words.subject[facts.what], { brand });
  const done = fillWords(words[facts.what], { brand, date: longDate(facts.at, facts.words) });
  const copies = fillWords(words.copies, { brand });
  const receipt = `${words.receipt}: ${facts.receipt}`;
  return {
    subject,
    text: `${[done, copies, receipt, words.last].join("\n\n")}\n`,
    html: letterPage({
      language: facts.words.language,
      direction: directionOf(facts.words),
      title: subject,
      brand,
      body: html`<p style="margin:0 0 12px">${done}</p>
        <p style="margin:0">${copies}</p>`,
      small: html`<p style="margin:0 0 12px">${receipt}</p>
        <p style="margin:0">${words.last}</p>`,
    }),
  };
}

/** Makes a name safe for a mail header: one line, no invisible characters, limited length. */
function oneLine(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, " ")
    .trim();
  return plain.length <= MAX_CHARACTERS
    ? plain
    : `${plain.slice(0, MAX_CHARACTERS).toWellFormed().trim()}…`;
}

const MAX_CHARACTERS = 80;
