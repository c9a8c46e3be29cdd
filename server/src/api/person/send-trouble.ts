import { letterLanguage } from "#followup";
import type { LetterLanguage } from "#followup";
import { html } from "#platform";
import type { FastifyReply, FastifyRequest } from "fastify";
import { personWords } from "./person-words.ts";
import { sendPage } from "./send-page.ts";

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

/** Where we know no conversation: the first of the browser's languages that we write. */
export function browserLanguage({ headers }: FastifyRequest): LetterLanguage {
  const wanted = headers["accept-language"]?.slice(0, 200).split(",") ?? [];
  const written = wanted.find((code) => /^\s*(?:en|de|fr|es)\b/i.test(code));
  return letterLanguage(written?.trim().slice(0, 2) ?? "en");
}
