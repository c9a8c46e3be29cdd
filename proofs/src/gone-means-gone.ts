import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import {
  addCustomer,
  addReceiver,
  applyFolder,
  changeAccount,
  dumpTables,
  startEventReceiver,
  tablesWith,
} from "@svc/server/testing";
import type { EventReceiver, TestDatabase } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { openMailServers } from "./mail/mail-world.ts";
import { runSvc } from "./pipeline/run-svc.ts";
import { defineProof } from "./runner/proof.ts";
import { seconds } from "./runner/table.ts";
import { openStage } from "./stage/stage.ts";
import { Visitor } from "./talk/visitor.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../server/src/agents/example");
const WITHIN_MS = 60_000;
/** Where a person must have left something before, or the proof looks at the wrong things. */
const FILLED = [
  "deliveries",
  "delivery_attempts",
  "evaluations",
  "follow_ups",
  "pgboss.job_common",
  "session_events",
  "session_exports",
  "session_usage",
  "sessions",
  "turns",
  "visits",
  "webhook_events",
];

// G1
export default defineProof({
  covers: [
    "server/src/evaluation/",
    "server/src/followup/",
    "server/src/live/",
    "server/src/operator/",
    "server/src/platform/",
    "server/src/rights/",
    "server/src/sessions/",
    "server/src/webhooks/",
  ],
  claims: {
    "gone-means-gone": {
      promise:
        "An erased person is gone: from tables, queue, deliveries, logs, and the call they are in",
      bound: `0 traces in a whole dump and all logs within ${WITHIN_MS / 1_000} s`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ seed, say, onEnd }) => {
        const stage = await openStage();
        onEnd(() => stage.close());
        const { database } = stage;
        const model = await startLanguageModel();
        onEnd(() => model.close());
        const { catcher, environment: mailEnvironment } = await openMailServers(onEnd);
        const customer = await addCustomer(database.db);
        await changeAccount(database.db, customer, { followUp: true });
        const { agentId } = await applyFolder(database.db, customer.account.id, EXAMPLE);
        // One repeats what it is told, as debugging receivers do; the other fails, so that a retry is due.
        const echo = await receiver(({ body }) => ({ status: 200, body }));
        const broken = await receiver(({ body }) => ({ status: 500, body }));
        const evaluatedBy = {
          SVC_MODEL_URL: model.baseUrl,
          SVC_EVALUATION_MODEL: "rehearsal",
        };
        const server = await stage.startServer({
          SVC_ROLE: "all",
          SVC_LOG_LEVEL: "debug",
          ...evaluatedBy,
          ...mailEnvironment,
          SVC_WEBHOOK_PLAIN_HTTP: "on",
          SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
          // After the erasure, and before the claim gives up waiting for it.
          SVC_WEBHOOK_RETRY_SECS: "15",
          SVC_SHUTDOWN_SECS: "1",
        });

        async function receiver(
          answer: Parameters<typeof startEventReceiver>[0],
        ): Promise<EventReceiver> {
          const one = await startEventReceiver(answer);
          onEnd(() => one.close());
          await addReceiver(database.db, customer, one.url);
          return one;
        }

        const random = new Random(seed);
        const [ada, bob] = [markedPerson(random), markedPerson(random)];
        const enter = (person: MarkedPerson): Promise<Visitor> =>
          Visitor.enter(server.url, { agentId, language: "en", metadata: person.metadata });
        const first = await talk(await enter(ada), ada);
        await talk(await enter(bob), bob);
        await until("both receivers have both", () =>
          [echo, broken].every(({ received }) => received.length === 2),
        );
        await until("both are mailed", () => catcher.mails().length === 2);
        // They are in a call again, and the first one is being evaluated anew, by a model that takes its time.
        const again = await enter({ ...ada, metadata: { ...ada.metadata, email: ada.email } });
        await again.listen();
        await again.say(ada.lines[0]!);
        model.setDelay(15_000);
        const evaluate = ["evaluate", first.sessionId];
        const evaluating = runSvc(database, evaluate, evaluatedBy).catch(() => undefined);
        await until("a job names the session", async () => {
          const job = "SELECT FROM pgboss.job WHERE data ->> 'sessionId' = $1 AND state = 'active'";
          return (await database.pool.query(job, [first.sessionId])).rowCount === 1;
        });

        const marksOf = (person: MarkedPerson): string[] => Object.values(person.marks);
        const ids = [first.sessionId, again.sessionId];
        const before = await dump(database);
        const filled = new Set([...marksOf(ada), ...ids].flatMap(before).map(plainName));
        const empty = FILLED.filter((table) => !filled.has(table));
        for (const [where, mark] of Object.entries(ada.marks)) {
          say(`control: what came by ${where} is in ${before(mark).map(plainName).join(", ")}`);
        }
        if (empty.length > 0) say(`nothing was in ${empty.join(", ")}`);

        const startedAt = performance.now();
        const erased = await runSvc(database, ["erase", "--email", ada.email, "--yes"]);
        say(erased.split("\n").slice(0, 2).join("\n"));
        await until("the call has ended", () => again.hasClosed);
        const sentBefore = broken.received.length;
        // What was under way has its chance to come back.
        model.setDelay(0);
        await evaluating;
        await until("the retry to others is made", () => broken.received.length > sentBefore);
        await delay(2_000);
        const after = await dump(database);
        const tookMs = performance.now() - startedAt;

        const logged = JSON.stringify(server.log).toLowerCase();
        const left = [...marksOf(ada), ...ids].flatMap((mark) =>
          after(mark)
            // Which session an operator looked into stays recorded; its id leads nowhere any more.
            .filter((table) => !(ids.includes(mark) && table === "public.audit"))
            .map((table) => `left: ${mark} in ${table}`),
        );
        const inLogs = [...marksOf(ada), ...marksOf(bob)]
          .filter((mark) => logged.includes(mark))
          .map((mark) => `in a log: ${mark}`);
        const resent = broken.received
          .slice(sentBefore)
          .filter(({ body }) => marksOf(ada).some((mark) => body.includes(mark)))
          .map(() => "delivered after the erasure");
        const traces = [...left, ...inLogs, ...resent];
        for (const trace of traces) say(trace);
        const isOtherKept = marksOf(bob).every(
          (mark) => after(mark).length === before(mark).length,
        );
        if (!isOtherKept) say("somebody else's data is gone too");
        const { rows } = await database.pool.query<{ server_version: string }>(
          "SHOW server_version",
        );
        return {
          figure: `${traces.length} traces after ${seconds(tookMs)}, where there were ${filled.size} tables and ${server.log.length} log lines to look at`,
          ok: traces.length === 0 && isOtherKept && empty.length === 0 && tookMs <= WITHIN_MS,
          engines: [`PostgreSQL ${rows[0]!.server_version}`],
        };
      },
    },
  },
});

/** Somebody whose every word can be found again: each place where they leave data has a mark of its own. */
interface MarkedPerson {
  email: string;
  metadata: Record<string, string>;
  /** What they say. */
  lines: string[];
  /** By where it came in. */
  marks: Record<string, string>;
}

function markedPerson(random: Random): MarkedPerson {
  const mark = (): string =>
    `qx${[1, 2].map(() => random.integer(2 ** 28, 2 ** 32 - 1).toString(16)).join("")}`;
  const marks = {
    email: `${mark()}@mail.example`,
    metadata: mark(),
    form: mark(),
    speech: mark(),
  };
  return {
    email: marks.email,
    marks,
    metadata: {
      name: `Quorra ${marks.metadata}`,
      // As the SDK sends what a form collected.
      company: marks.form,
    },
    lines: [
      `We sell garden tools at ${marks.speech}, and visitors should understand them.`,
      "About 8,000 people visit it in a month.",
      "Next month would be good.",
      "Please send me something by email.",
      "Yes, by email please.",
    ],
  };
}

/** A whole demo, up to the address on the card. */
async function talk(visitor: Visitor, person: MarkedPerson): Promise<Visitor> {
  await visitor.listen();
  for (const line of person.lines) {
    if (visitor.screen.openCard?.kind === "email") break;
    await visitor.say(line);
  }
  await visitor.confirmEmail(person.email);
  await visitor.end();
  visitor.leave();
  return visitor;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++, await delay(50)) if (await holds()) return;
  throw new Error(`not within 25 s: ${what}`);
}

/** Dumps everything, the queue included. Finds the tables in which a text is, in any case, as text or as bytes in hex. */
async function dump(database: TestDatabase): Promise<(text: string) => string[]> {
  const tables = await dumpTables(database);
  return (text) => tablesWith(tables, text);
}

/** Without its schema and its day. */
function plainName(table: string): string {
  return table.replace(/^public\./, "").replace(/_(?:default|\d{8})$/, "");
}
