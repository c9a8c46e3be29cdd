import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Seeded } from "./dev-folder.ts";
import { fill, Html, html } from "../html.ts";

/** The start page's entry for one part. */
export interface Part {
  state: "ready" | "starting" | "away";
  /** The state in a word, for people. */
  word: string;
  detail: string;
}

export interface Facts {
  /** Everything is up; until then there is nothing to try. */
  ready: boolean;
  parts: Record<"database" | "model" | "server" | "sessions", Part>;
  serverUrl: string;
  operationsUrl: string;
  /** The stand-ins' own pages. */
  modelUrl: string;
  receiverUrl: string;
  inboxUrl: string;
  /** Asked in place of the stand-in. */
  ownModel: string | undefined;
  seeded: Seeded | undefined;
}

/** The page that shows what is there and what to try. Its files are read for each request, so that a change shows on reload. */
export async function renderStartPage(facts: Facts): Promise<string> {
  const isUp = facts.ready && facts.seeded !== undefined;
  return fill(await template("start-page.html"), {
    ready: facts.ready,
    title: isUp ? "Svc is running" : "Svc is starting",
    lead: isUp
      ? "On this machine only, with a month of made-up sessions."
      : "This takes a few seconds the first time. The page follows by itself.",
    parts: Object.entries(facts.parts).map(([name, part]) => partBox(name, part)),
    product: isUp ? await product(facts, facts.seeded!) : "",
    sections: isUp ? await sections(facts, facts.seeded!) : "",
    footer: html`Everything lives in the folder <code>.dev</code>. Press ctrl-C in the terminal to
      stop; the data stays. <code>npm run dev -- --fresh</code> begins anew.`,
  });
}

const TITLES = {
  database: "Database",
  model: "Language model",
  server: "Server",
  sessions: "Sessions",
} as const;

function partBox(name: string, { state, word, detail }: Part): Html {
  return html`<div data-part="${name}" data-state="${state}">
    <dt>${TITLES[name as keyof typeof TITLES]}</dt>
    <dd>
      <strong>${word}</strong>
      <p class="quiet">${detail}</p>
    </dd>
  </div>`;
}

/** The page of a product, with the hero: what a visitor would see. */
async function product({ serverUrl, ownModel }: Facts, { agentId }: Seeded): Promise<Html> {
  const whoAnswers =
    ownModel === undefined
      ? "On this machine a scripted stand-in answers for the language model. The rest is the real thing."
      : `On this machine your language model at ${ownModel} answers.`;
  return new Html(fill(await template("start-product.html"), { serverUrl, agentId, whoAnswers }));
}

async function sections(facts: Facts, seeded: Seeded): Promise<Html> {
  const { ready: _, parts: __, seeded: ___, ownModel, ...urls } = facts;
  return new Html(
    fill(await template("start-sections.html"), {
      ...urls,
      ...seeded,
      whoJudges:
        ownModel === undefined
          ? html`The language model is a stand-in: it answers the same question the same way, and
              <a href="${facts.modelUrl}">its page</a> shows how to make it fail.`
          : html`Your language model at ${ownModel} judges.`,
    }),
  );
}

function template(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, name), "utf8");
}
