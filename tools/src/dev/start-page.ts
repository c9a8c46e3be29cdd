import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Seeded } from "./dev-folder.ts";
import { fill, html } from "../html.ts";
import type { Html } from "../html.ts";

/** What the start page tells of one part. */
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

/** The page that shows what is there and what to try. Made anew for each request, from one file. */
export async function renderStartPage(facts: Facts): Promise<string> {
  const template = await readFile(join(import.meta.dirname, "start-page.html"), "utf8");
  const isUp = facts.ready && facts.seeded !== undefined;
  return fill(template, {
    ready: facts.ready,
    title: isUp ? "Svc is running" : "Svc is starting",
    lead: isUp
      ? "On this machine only, with a month of made-up sessions."
      : "This takes a few seconds the first time. The page follows by itself.",
    parts: Object.entries(facts.parts).map(([name, part]) => partBox(name, part)),
    sections: isUp ? sections(facts, facts.seeded!) : [],
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

function sections(
  { serverUrl, operationsUrl, modelUrl, receiverUrl, inboxUrl, ownModel }: Facts,
  seeded: Seeded,
): Html[] {
  const sessions = `${serverUrl}/v1/sessions`;
  const bearer = `-H "Authorization: Bearer ${seeded.token}"`;
  const basic = `-u ${seeded.clientId}:${seeded.token}`;
  return [
    html`<section>
      <h2>Meet the agent</h2>
      <p>
        It demonstrates Svc itself, in English, German, French or Spanish.
        ${ownModel === undefined ? html`Behind it stands the stand-in of a language model, so what it says is scripted; the rest is the real thing.` : html`Behind it stands your language model at ${ownModel}.`}
        When you are done, the conversation is evaluated and arrives at the receiver below.
      </p>
      <button class="action" type="button" onclick="Svc.startDemo()">Talk to the agent</button>
      <p>
        In the <a href="/playground/">playground</a> you try the widget, the hero and all the rest,
        with the code beside it.
      </p>
      <script>
        window.SvcConfig = { agentId: "${seeded.agentId}" };
      </script>
      <script async id="svc-sdk" src="${serverUrl}/sdk/sdk.js"></script>
      ${line("What a page needs for it", `<script>window.SvcConfig = { agentId: "${seeded.agentId}" }</script>\n<script async id="svc-sdk" src="${serverUrl}/sdk/sdk.js"></script>\n<button onclick="Svc.startDemo()">Talk to the agent</button>`)}
    </section>`,
    html`<section>
      <h2>Read the sessions</h2>
      <p>The export is what a customer's program talks to. Copy a line into a terminal.</p>
      ${line("Two sessions, four fields", `curl -s ${bearer} \\\n  "${sessions}.json?limit=2&fields=id,status,email,created_at"`)}
      ${line("With headers: Link names the next page", `curl -si ${bearer} \\\n  "${sessions}.json?limit=2&fields=id,status"`)}
      ${line("The first hundred as a CSV file", `curl -s ${basic} \\\n  -o sessions.csv "${sessions}.csv"`)}
    </section>`,
    html`<section>
      <h2>Open them in a spreadsheet</h2>
      <p>The browser asks for a name and a password: the client id and the token.</p>
      ${line("Client id", seeded.clientId)} ${line("Token", seeded.token)}
      <a class="action" href="${sessions}.csv">Open sessions.csv</a>
    </section>`,
    html`<section>
      <h2>Be the operator</h2>
      <p>Run these in the checkout. Each takes <code>--help</code> and <code>--json</code>.</p>
      ${line("The newest sessions", "npx svc sessions list")}
      ${line("The whole story of one", `npx svc sessions show ${seeded.sessionId}`)}
      ${line("The customer, and what holds their export", "npx svc accounts show demo")}
      ${line("A second token, shown once", "npx svc tokens issue demo --label laptop")}
      ${line("Is everything well?", "npx svc doctor")}
    </section>`,
    html`<section>
      <h2>Evaluate a conversation</h2>
      <p>
        The newest sessions came without an evaluation, and the pipeline made it.
        ${ownModel === undefined ? html`The language model is a stand-in: it answers the same question the same way, and <a href="${modelUrl}">its page</a> shows how to make it fail.` : html`Your language model at ${ownModel} judges.`}
      </p>
      ${line("Evaluate one again", `npx svc evaluate ${seeded.sessionId}`)}
      ${line("All that failed in the last week", "npx svc evaluate --status error --since 7d --dry-run")}
      ${line("How well does the model judge?", "npx svc rubric score")}
    </section>`,
    html`<section>
      <h2>Receive webhooks</h2>
      <p>
        Every evaluation is sent to a receiver that stands in for a customer's program. Evaluate a
        session again and see it arrive on the receiver's page, which checks the signatures; there
        you can also make it fail, and watch the retries.
      </p>
      <a class="action" href="${receiverUrl}">Open the receiver</a>
      ${line("What was sent, and what came of it", "npx svc deliveries list")}
      ${line("Where events are sent", "npx svc webhooks list")}
    </section>`,
    html`<section>
      <h2>Read the mail</h2>
      <p>
        Whoever gives an address in a conversation gets a mail about it. Here mail reaches nobody:
        it lands in an inbox that stands in for a mail server. Talk to the agent above, give your
        own address, and end the conversation.
      </p>
      <a class="action" href="${inboxUrl}">Open the inbox</a>
      ${line("What became of each mail", "npx svc mail list")}
    </section>`,
    html`<section>
      <h2>Change something</h2>
      <p>
        Save a file below <code>server/src</code> and the server starts again in a second or two.
        The agent of these sessions is a folder of files: edit it, and look at what would change.
      </p>
      ${line("The difference to what runs", "npx svc agents plan .dev/agents/guide --account demo")}
      ${line("Thirty talks with it, played against the model", "npx svc agents rehearse .dev/agents/guide")}
    </section>`,
    html`<section>
      <h2>Read on</h2>
      <ul>
        ${DOCUMENTS.map(([page, name, what]) => html`<li><a href="/docs/${page}.html">${name}</a> <span class="quiet">${what}</span></li>`)}
        <li>
          <a href="${serverUrl}/openapi.json">openapi.json</a>
          <span class="quiet">the contract, as the server serves it</span>
        </li>
        <li>
          <a href="${operationsUrl}/metrics">metrics</a>
          <span class="quiet"
            >and <a href="${operationsUrl}/readyz">readiness</a>, on the operations port</span
          >
        </li>
      </ul>
    </section>`,
  ];
}

/** The documents that the page links to. */
export const DOCUMENTS: [page: string, name: string, what: string][] = [
  ["index", "All documents", "with a search"],
  ["guide/five-minute-start", "Svc in five minutes", "this tour, in more words"],
  ["guide/export", "The export", "with samples that run"],
  ["guide/evaluation", "Evaluations", "what one says, and how it is checked"],
  ["reference/specification", "Specification", "what the whole service does"],
  ["operate/running", "Running Svc", "for real"],
  ["CONTRIBUTING", "Contributing", "tests, proofs, and how to add things"],
];

function line(label: string, text: string): Html {
  return html`<div class="line">
    <div>
      ${label} <button type="button" data-copy hidden aria-label="Copy: ${label}">Copy</button>
    </div>
    <code>${text}</code>
  </div>`;
}
