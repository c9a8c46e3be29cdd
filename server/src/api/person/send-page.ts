import { createHash } from "node:crypto";
import type { LetterLanguage } from "#followup";
import { html } from "#platform";
import type { Html } from "#platform";
import type { FastifyReply } from "fastify";
import { STYLE } from "./page-style.ts";

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
/** As a browser reads it, with whatever space stands around it. */
const STYLE_TEXT = String(STYLE_ELEMENT).slice("<style>".length, -"</style>".length);

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE_TEXT).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
