import { createHash } from "node:crypto";
import { letterLanguage } from "#followup";
import type { LetterLanguage } from "#followup";
import { html } from "#platform";
import type { Html } from "#platform";
import type { FastifyReply, FastifyRequest } from "fastify";
import { STYLE } from "./page-style.ts";
import { words as de } from "./words/de.ts";
import { words as en } from "./words/en.ts";
import { words as es } from "./words/es.ts";
import { words as fr } from "./words/fr.ts";
import type { PersonWords } from "./words/words.ts";

export interface PersonPage {
  title: string;
  body: Html;
}

/** A page for a person: no script, nothing from elsewhere, kept by nobody on the way. */
export function sendPage(
  reply: FastifyReply,
  language: LetterLanguage,
  { title, body }: PersonPage,
  status = 200,
): FastifyReply {
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `;
  return reply
    .code(status)
    .headers(PRIVATE)
    .header("content-security-policy", POLICY)
    .type("text/html; charset=utf-8")
    .send(String(page));
}

/** The address of these pages is a key: no cache, no index and no other site may learn it. */
export const PRIVATE = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
} as const;

const STYLE_ELEMENT = html`<style>
  ${STYLE}
</style>`;
/** The style's text exactly as a browser hashes it, including the surrounding white space. */
const STYLE_TEXT = String(STYLE_ELEMENT).slice("<style>".length, -"</style>".length);

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE_TEXT).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const STATUS = {
  /** The same for what never was and for what is gone: it tells nobody which. */
  deadLink: 404,
  tooMany: 429,
  broken: 500,
  away: 503,
} as const;

/** A page that says what happened, why, and what to do. */
export function sendTrouble(
  request: FastifyRequest,
  reply: FastifyReply,
  trouble: keyof typeof STATUS,
): FastifyReply {
  const language = browserLanguage(request);
  const words = personWords(language);
  const { title, why, fix } =
    trouble === "broken" || trouble === "away" ? words.unavailable : words[trouble];
  const body = html`
    <p>${why}</p>
    <p>${fix}</p>
  `;
  return sendPage(reply, language, { title, body }, STATUS[trouble]);
}

/** Returns the first of the browser's languages that we have texts in, for pages that belong to no known conversation. */
export function browserLanguage({ headers }: FastifyRequest): LetterLanguage {
  const wanted = headers["accept-language"]?.slice(0, 200).split(",") ?? [];
  const written = wanted.find((code) => /^\s*(?:en|de|fr|es)\b/i.test(code));
  return letterLanguage(written?.trim().slice(0, 2) ?? "en");
}

/** Returns the texts of the pages behind a mail's links in a language. */
export function personWords(language: LetterLanguage): PersonWords {
  return { en, de, fr, es }[language];
}
