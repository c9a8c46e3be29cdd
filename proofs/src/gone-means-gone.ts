import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { startLanguageModel, startMailCatcher } from "@svc/rehearsal";
import {
  addCustomer,
  addReceiver,
  applyFolder,
  changeAccount,
  startEventReceiver,
  startScriptedDns,
} from "@svc/server/testing";
import type { EventReceiver } from "@svc/server/testing";
import { environmentOf } from "./cli/scenarios/scenario.ts";
import { dump } from "./gone/dump.ts";
import { markedPerson } from "./gone/person.ts";
import type { MarkedPerson } from "./gone/person.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";
import { Visitor } from "./talk/visitor.ts";

const ROOT = resolve(import.meta.dirname, "../..");
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
  covers: [],
  claims: {
    "gone-means-gone": {
      promise:
        "An erased person is gone: from tables, queue, deliveries, logs, and the call they are in",
      bound: `0 traces in a whole dump and all logs within ${WITHIN_MS / 1_000} s`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ say, onEnd }) => {
        const stage = await openStage();
        onEnd(() => stage.close());
        const { database } = stage;
        const model = await startLanguageModel();
        onEnd(() => model.close());
        const inbox = await startMailCatcher();
        onEnd(() => inbox.close());
        const dns = await startScriptedDns(({ type }) =>
          type === "MX" ? ["10 mx.mail.example."] : [],
        );
        onEnd(() => dns.close());
        const customer = await addCustomer(database.db);
        await changeAccount(database.db, customer, { followUp: true });
        const { agentId } = await applyFolder(
          database.db,
          customer.account.id,
          resolve(ROOT, "server/src/agents/example"),
        );
        // One repeats what it is told, as debugging receivers do; the other has yet to take it.
        const echo = await receiver(({ body }) => ({ status: 200, body }));
        const broken = await receiver(({ body }) => ({ status: 500, body }));
        const server = await stage.startServer({
          SVC_ROLE: "all",
          SVC_LOG_LEVEL: "debug",
          SVC_MODEL_URL: model.baseUrl,
          SVC_EVALUATION_MODEL: "rehearsal",
          SVC_WEBHOOK_PLAIN_HTTP: "on",
          SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
          SVC_DNS_SERVERS: dns.server,
          SVC_SMTP_URL: inbox.smtpUrl,
          SVC_SMTP_TLS: "off",
          SVC_MAIL_FROM: "Svc <noreply@svc.example>",
          // After the erasure, and before anybody gives up waiting for it.
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
        const svc = (...argv: string[]): Promise<{ stdout: string }> =>
          promisify(execFile)(
            process.execPath,
            [resolve(ROOT, "server/src/operator/cli.ts"), ...argv],
            {
              env: {
                ...environmentOf(database),
                SVC_MODEL_URL: model.baseUrl,
                SVC_EVALUATION_MODEL: "rehearsal",
              },
            },
          );

        const [ada, bob] = [markedPerson(), markedPerson()];
        const enter = (person: MarkedPerson): Promise<Visitor> =>
          Visitor.enter(server.url, { agentId, language: "en", metadata: person.metadata });
        const first = await talk(await enter(ada), ada);
        await talk(await enter(bob), bob);
        const until = async (
          what: string,
          holds: () => boolean | Promise<boolean>,
        ): Promise<void> => {
          for (let tries = 0; tries < 500; tries++, await delay(50)) if (await holds()) return;
          throw new Error(`not within 25 s: ${what}`);
        };
        await until("both receivers have both", () =>
          [echo, broken].every(({ received }) => received.length === 2),
        );
        await until("both are mailed", () => inbox.mails().length === 2);
        // They are in a call again, and the first one is being judged anew, by a model that takes its time.
        const again = await enter({ ...ada, metadata: { ...ada.metadata, email: ada.email } });
        await again.listen();
        await again.say(ada.lines[0]!);
        model.setDelay(15_000);
        const judging = svc("evaluate", first.sessionId).catch(() => undefined);
        await until("a job names the session", async () => {
          const job = "SELECT FROM pgboss.job WHERE data ->> 'sessionId' = $1 AND state = 'active'";
          return (await database.pool.query(job, [first.sessionId])).rowCount === 1;
        });

        const { rows } = await database.pool.query<{ version: string; full: string }>(
          "SELECT split_part(version, '.', 1) AS version, version AS full FROM (SELECT current_setting('server_version') AS version) AS v",
        );
        const version = rows[0]!.version.split(" ", 1)[0]!;
        const marksOf = (person: MarkedPerson): string[] => Object.values(person.marks);
        const ids = [first.sessionId, again.sessionId];
        const before = await dump(database.url, version);
        const filled = new Set([...marksOf(ada), ...ids].flatMap(before).map(plainName));
        const empty = FILLED.filter((table) => !filled.has(table));
        for (const [where, mark] of Object.entries(ada.marks)) {
          say(`control: what came by ${where} stands in ${before(mark).map(plainName).join(", ")}`);
        }
        if (empty.length > 0) say(`nothing was in ${empty.join(", ")}`);

        const startedAt = performance.now();
        const { stdout } = await svc("erase", "--email", ada.email, "--yes");
        say(stdout.split("\n").slice(0, 2).join("\n"));
        await until("the call has ended", () => again.hasClosed);
        const sent = [echo, broken].map(({ received }) => received.length);
        // What was under way has its chance to come back.
        model.setDelay(0);
        await judging;
        await until("the retry to others is made", () => broken.received.length > sent[1]!);
        await delay(2_000);
        const after = await dump(database.url, version);
        const tookMs = performance.now() - startedAt;

        const logged = JSON.stringify(server.log).toLowerCase();
        const left = [...marksOf(ada), ...ids].flatMap((mark) =>
          after(mark)
            // Which session an operator looked into stays told; the id leads nowhere any more.
            .filter((table) => !(ids.includes(mark) && table === "public.audit"))
            .map((table) => `${mark} in ${table}`),
        );
        const told = [...marksOf(ada), ...marksOf(bob)].filter((mark) => logged.includes(mark));
        const resent = broken.received
          .slice(sent[1])
          .filter(({ body }) => marksOf(ada).some((mark) => body.includes(mark)));
        const kept = marksOf(bob).every((mark) => after(mark).length === before(mark).length);
        for (const fault of left) say(`left: ${fault}`);
        for (const mark of told) say(`in a log: ${mark}`);
        if (resent.length > 0) say(`${resent.length} deliveries were made after the erasure`);
        if (!kept) say("somebody else's data is gone too");
        const traces = left.length + told.length + resent.length;
        return {
          figure: `${traces} traces after ${(tookMs / 1_000).toFixed(1)} s, where there were ${filled.size} tables and ${server.log.length} log lines to look at`,
          ok: traces === 0 && kept && empty.length === 0 && tookMs <= WITHIN_MS,
          engines: [`PostgreSQL ${rows[0]!.full}`],
        };
      },
    },
  },
});

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

/** Without its schema and its day. */
function plainName(table: string): string {
  return table.replace(/^public\./, "").replace(/_(?:default|\d{8})$/, "");
}
