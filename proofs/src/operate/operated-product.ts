import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { ConsoleEndpoints, Evaluation, Session } from "@svc/contract/types";
import {
  addCustomer,
  addReceiver,
  applyFolder,
  end,
  makeConsoleLink,
  say,
  seedSettled,
  start,
  startEventReceiver,
} from "@svc/server/testing";
import type { ConsoleLogin, Customer, PlayedTurn } from "@svc/server/testing";
import { believableSessions } from "@svc/tools/believable-sessions";
import { openBrowser } from "../browsers/browser.ts";
import type { Browser, Page } from "../browsers/browser.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { EXAMPLE, openWholeProduct } from "../product/whole-product.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import type { Stage } from "../stage/stage.ts";

type OnEnd = (clean: () => unknown) => void;

/** The product with its console built, a week of believable sessions, and a browser. */
export interface Operated {
  product: WholeProduct;
  /** A customer with those sessions. */
  busy: Customer;
  /** A session of theirs in which much happened, and whose delivery failed. */
  eventful: string;
  /** Their receiver, which is broken. */
  receiverId: string;
  /** A customer without any session. */
  idle: Customer;
  browser: Browser;
  /** Asks the admin API as an admin. */
  ask<T>(path: string, body?: object): Promise<T>;
  /** Signs somebody in as they would: opens the printed link, presses its button. */
  signIn(page: Page, login?: ConsoleLogin): Promise<void>;
}

const SESSIONS = 160;
/** People can sign in with it, once it answers. */
const PROVIDER = {
  SVC_OIDC_ISSUER: "https://login.tidewell.example",
  SVC_OIDC_CLIENT_ID: "console",
  SVC_OIDC_CLIENT_SECRET: "for the pages only",
};

export async function openOperated({ onEnd }: { onEnd: OnEnd }): Promise<Operated> {
  await buildConsole();
  let busy: Customer;
  const receiver = await startEventReceiver(() => ({
    status: 503,
    body: "upstream is restarting",
  }));
  onEnd(receiver.close);
  const product = await openWholeProduct(onEnd, async (stage) => {
    busy = await addBusyCustomer(stage, receiver.url);
    // What fails three times has failed within seconds.
    return { SVC_WEBHOOK_RETRY_SECS: "1", ...PROVIDER };
  });
  const browser = await openBrowser("chromium");
  onEnd(() => browser.close());
  const linkFor = (login: ConsoleLogin): Promise<string> =>
    product.stage.database.db
      .transaction()
      .execute(async (trx) => (await makeConsoleLink(trx, "proof", login)).token);
  const cookie = await cookieFor(
    product.server.url,
    await linkFor({ name: "Ines Marlow", role: "admin" }),
  );
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const { url } = product.server;
    const answer = await fetch(`${url}/admin/v1/${path}`, {
      headers: { cookie, origin: url, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  return {
    product,
    busy: busy!,
    idle: await addCustomer(product.stage.database.db, { name: "Alder School" }),
    receiverId: (await ask<ConsoleEndpoints>(`endpoints?account=${busy!.account.clientId}`))
      .endpoints[0]!.id,
    eventful: await playEventful(product.stage, busy!, ask),
    browser,
    ask,
    async signIn(page, login = { name: "Ines Marlow", role: "admin" }) {
      await page.goto(`${product.server.url}/console/sign-in#${await linkFor(login)}`);
      await until(page, "form[action='/console/sign-in'] button");
      await page.press("Tab");
      await page.press("Enter");
      await until(page, ".page h1");
    },
  };
}

/** Waits for an element, with these words in it where they are given. */
export async function until(page: Page, selector: string, words = ""): Promise<void> {
  const isThere = (): Promise<boolean> =>
    page
      .run(
        (wanted, text) =>
          [...document.querySelectorAll(wanted)].some((one) => one.textContent.includes(text)),
        selector,
        words,
      )
      // The page is just being left.
      .catch(() => false);
  if (await waitUntil(isThere, 45_000, 20)) return;
  throw new Error(
    `there is no ${selector} with "${words}" at ${await page.run(() => location.pathname)}`,
  );
}

/** As `npm run build` does. */
async function buildConsole(): Promise<void> {
  const build = resolve(import.meta.dirname, "../../../console/build/build.ts");
  await promisify(execFile)(process.execPath, [build]);
}

async function cookieFor(url: string, token: string): Promise<string> {
  const { headers } = await fetch(`${url}/console/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: url, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ token }).toString(),
  });
  return headers.get("set-cookie")!.split(";", 1)[0]!;
}

/** Before the server starts: sums are made when it finds the sessions. */
async function addBusyCustomer({ database }: Stage, receiverUrl: string): Promise<Customer> {
  const { db, pool } = database;
  const customer = await addCustomer(db, { name: "Tidewell" });
  const { agentId } = await applyFolder(db, customer.account.id, EXAMPLE);
  const now = new Date();
  const sessions: Session[] = believableSessions({ agentId, count: SESSIONS * 4, now });
  const week = sessions.filter(({ created_at: at }) => +now - Date.parse(at) < 7 * 86_400_000);
  await seedSettled(pool, customer, week);
  await pool.query(
    `UPDATE sessions SET device = (ARRAY['desktop', 'phone', 'desktop', 'tablet'])[1 + get_byte(uuid_send(id), 15) % 4],
       entry = (ARRAY['widget', 'hero', 'modal'])[1 + get_byte(uuid_send(id), 14) % 3], mode = 'voice', language = 'en',
       page = 'https://tidewell.example/' || (ARRAY['', 'pricing', 'cafes'])[1 + get_byte(uuid_send(id), 13) % 3],
       cost_micros = 30000 + 400 * get_byte(uuid_send(id), 12)`,
  );
  await pool.query(
    `INSERT INTO session_events (session_at, session_id, seq, at, kind, detail)
     SELECT created_at, id, nextval('session_events_seq'), created_at, kind, jsonb_build_object('answer_ms', 620 + 4 * get_byte(uuid_send(id), n), 'silent_ms', 90 + get_byte(uuid_send(id), n + 4) / 2)
     FROM sessions CROSS JOIN (VALUES ('reply', 8), ('reply', 9), ('reply', 10), ('microphone', 11)) AS one (kind, n) WHERE status <> 'abandoned'`,
  );
  await pool.query(
    `INSERT INTO funnel_steps (agent_id, day, event, dimension, value, count)
     SELECT agent_id, created_at::date, event, dimension, value, share * count(*)
     FROM sessions CROSS JOIN (VALUES ('button_viewed', 31), ('opened', 2), ('form', 1)) AS one (event, share)
     CROSS JOIN LATERAL (VALUES ('device', device), ('entry', entry), ('page', page), ('language', language), ('version', '1')) AS of (dimension, value)
     GROUP BY agent_id, created_at::date, event, dimension, value, share`,
  );
  await pool.query(
    `INSERT INTO funnel_counts (agent_id, day, event, origin, count)
     SELECT agent_id, created_at::date, event, 'https://tidewell.example', share * count(*)
     FROM sessions CROSS JOIN (VALUES ('button_viewed', 31), ('opened', 2), ('form', 1)) AS one (event, share)
     GROUP BY agent_id, created_at::date, event, share`,
  );
  const { id: endpointId } = await addReceiver(db, customer, receiverUrl);
  await pool.query(
    `WITH sent AS (
       INSERT INTO webhook_events (id, session_id, version, at, body)
       SELECT gen_random_uuid(), id, 1, settled_at, '{}' FROM sessions WHERE status = 'processed' RETURNING id, session_id, at
     ), taken AS (
       INSERT INTO deliveries (endpoint_id, event_id, session_id, state, due_at, attempts, created_at, finished_at)
       SELECT $1, id, session_id, 'delivered', at, 1, at, at FROM sent ORDER BY at RETURNING id, created_at
     )
     INSERT INTO delivery_attempts (delivery_id, attempt, started_at, took_ms, outcome, status)
     SELECT id, 1, created_at, 40 + id % 90, 'answered', 204 FROM taken`,
    [endpointId],
  );
  return { ...customer, agent: { ...customer.agent, agentId } };
}

const TALK: PlayedTurn[] = [
  {
    role: "assistant",
    content:
      "Hi, I'm Mira, the AI guide of Tidewell. I can show you how cafés plan their shifts. How many people do you schedule?",
  },
  {
    role: "user",
    content:
      "Uh, hi. I'm Dana Whitlock. We are twelve people, no, twenty, and eight of them are at my brother's place.",
  },
  {
    role: "assistant",
    content: "Twenty, got it. Tidewell sends each of them their shifts, lets them swap among",
    interrupted: true,
  },
  { role: "user", content: "Sorry, can I see what they see? On the phone?" },
  {
    role: "assistant",
    content:
      "Of course. This is the roster on the phone of one of your people. Tap a shift, and it asks who could take it.",
  },
  {
    role: "user",
    content:
      "An Excel sheet and a WhatsApp group is what we have today. I spend every Sunday evening on it. It can't cost more than Excel. What would it be for twenty?",
  },
  {
    role: "assistant",
    content: "The first 30 days are free. For the price after that, a person will write to you.",
  },
  { role: "user", content: "OK. We want to start next month. Bye!" },
];

/** Events of each reply of the talk, as the conversation writes them. */
const EVENTS: [turn: number, kind: string, detail: object][] = [
  [0, "state", {}],
  [0, "timings", timesOf(110, 240, 420, 560, 690)],
  [2, "state", {}],
  [2, "timings", timesOf(160, 320, 560, 780, 910)],
  [4, "state", {}],
  [4, "content_shown", { id: "roster_on_the_phone", by: "agent" }],
  [4, "sources", { sections: ["Offline use in knowledge/app.md"] }],
  [4, "timings", timesOf(120, 420, 1_640, 2_190, 2_310)],
  // Before the reply, so that what was asked is what it could not answer.
  [5.5, "state", {}],
  [6, "held", { code: "unproven_price" }],
  [6, "second_try", { code: "unproven_price" }],
  [6, "direction", { name: "show", value: "prices", why: "there is no such slide", done: false }],
  [6, "email_card", { state: "confirmed" }],
  [6, "model_failed", { model: "rehearsal", why: "timed out" }],
  [6, "timings", timesOf(140, 300, 720, 900, 1_040)],
];

function timesOf(...ends: [number, number, number, number, number]): object {
  const [heard, turn, token, audio, played] = ends;
  return {
    transcript_ms: heard,
    end_of_turn_ms: turn,
    first_token_ms: token,
    first_audio_ms: audio,
    playback_ms: played,
  };
}

async function playEventful(
  { database: { db, pool } }: Stage,
  customer: Customer,
  ask: Operated["ask"],
): Promise<string> {
  const metadata = { email: "dana@cafemarlow.example", plan: "trial" };
  const session = await start(db, customer, { metadata });
  await say(db, session, TALK);
  const at = session.createdAt.getTime();
  await pool.query(
    `INSERT INTO session_events (session_at, session_id, seq, at, kind, detail)
     SELECT $1, $2, nextval('session_events_seq'), at, kind, detail FROM json_to_recordset($3) AS one (at timestamptz, kind text, detail jsonb)`,
    [
      session.createdAt,
      session.id,
      JSON.stringify(
        EVENTS.map(([turn, kind, detail]) => ({
          at: new Date(at + turn * 1_000).toISOString(),
          kind,
          detail,
        })),
      ),
    ],
  );
  await pool.query(
    `UPDATE sessions SET language = 'en', mode = 'voice', page = 'https://tidewell.example/cafes', notice_sha256 = sha256('notice'), notice_language = 'en', notice_at = created_at, cost_micros = 84100 WHERE id = $1`,
    [session.id],
  );
  await end(db, session);
  await untilSettled(ask, session.id);
  // The stand-in for a model finds little in what she said.
  await pool.query("UPDATE session_exports SET evaluation = $2 WHERE id = $1", [
    session.id,
    JSON.stringify(JUDGED),
  ]);
  await pool.query("UPDATE evaluations SET evaluation = $2 WHERE session_id = $1", [
    session.id,
    JSON.stringify(JUDGED),
  ]);
  return session.id;
}

const JUDGED: Evaluation = {
  language: "en",
  customer_name: "Dana Whitlock",
  qualification: {
    status: "qualified",
    reasoning: "They schedule twenty people and want to start next month.",
  },
  questions: {
    team_size: { was_asked: true, was_answered: true, answer: "20 people" },
    tool_today: {
      was_asked: true,
      was_answered: true,
      answer: "An Excel sheet and a WhatsApp group",
    },
    start: { was_asked: true, was_answered: true, answer: "Next month" },
    budget: { was_asked: false, was_answered: false },
  },
  insights: {
    pain: {
      value: "Sunday evenings go into the roster",
      evidence: "I spend every Sunday evening on it.",
    },
  },
  objections: [
    { objection: "It can't cost more than Excel.", response: "The first 30 days are free." },
  ],
  prospect_questions: [
    { question: "Can I see what they see, on the phone?", answer: "The roster was shown." },
  ],
  summary: "A café with twenty people, planned in Excel.",
};

/** Waits for the pipeline. */
async function untilSettled(ask: Operated["ask"], sessionId: string): Promise<void> {
  for (;;) {
    const { settled_at: at } = await ask<{ settled_at?: string }>(`sessions/${sessionId}`);
    if (at !== undefined) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}
