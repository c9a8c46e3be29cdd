import { builtInWords, directionOf, wordsOf } from "#language";
import { hashedStyle, html, htmlPage } from "#platform";
import type { Html } from "#platform";
import type { Words } from "@svc/contract/types";
import type { FastifyReply, FastifyRequest } from "fastify";
import { STYLE } from "./page-style.ts";

export interface PersonPage {
  title: string;
  body: Html;
}

/** A page for a person: no script, nothing from elsewhere, kept by nobody on the way. */
export function sendPage(
  reply: FastifyReply,
  words: Words,
  { title, body }: PersonPage,
  status = 200,
): FastifyReply {
  const page = htmlPage({
    language: words.language,
    direction: directionOf(words),
    title,
    head: html`<meta name="robots" content="noindex, nofollow" />`,
    style: style.element,
    body,
  });
  return reply
    .code(status)
    .headers(PRIVATE)
    .header("content-security-policy", POLICY)
    .type("text/html; charset=utf-8")
    .send(page);
}

/** The address of these pages is a key: no cache, no index and no other site may learn it. */
export const PRIVATE = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
} as const;

const style = hashedStyle(STYLE);

const POLICY = [
  "default-src 'none'",
  `style-src ${style.source}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const STATUS = {
  /** The same for what never was and for what is gone: it tells nobody which. */
  dead_link: 404,
  too_many: 429,
  broken: 500,
  away: 503,
} as const;

/** A page that says what happened, why, and what to do. */
export function sendTrouble(
  request: FastifyRequest,
  reply: FastifyReply,
  trouble: keyof typeof STATUS,
): FastifyReply {
  const words = browserWords(request);
  const { title, why, fix } =
    trouble === "broken" || trouble === "away" ? words.person.unavailable : words.person[trouble];
  const body = html`
    <p>${why}</p>
    <p>${fix}</p>
  `;
  return sendPage(reply, words, { title, body }, STATUS[trouble]);
}

/** In the first of the browser's languages that is built in, for pages that belong to no known conversation. */
export function browserWords({ headers }: FastifyRequest): Words {
  const wanted = headers["accept-language"]?.slice(0, 200).split(",") ?? [];
  const codes = wanted.map((one) => one.split(";", 1)[0]!.trim());
  return wordsOf([], codes.find((code) => builtInWords(code) !== undefined) ?? "en");
}
