import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import type { WebhookReceiver } from "@svc/rehearsal";
import { startServerProcess } from "@svc/server/testing";
import type { ServerProcess } from "@svc/server/testing";
import type { Session } from "@svc/contract/types";
import pg from "pg";
import { runSvc } from "../pipeline/run-svc.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { ROOT } from "../runner/claims.ts";
import { openStage } from "../stage/stage.ts";
import { Visitor } from "../talk/visitor.ts";
import { checkOutPrevious } from "./previous-code.ts";
import type { PreviousCode } from "./previous-code.ts";

/** Talks in each phase on each server; an address may have five at once. */
const TALKS = 2;

export const oldAndNewTogether: Claim<undefined> = {
  promise:
    "The code before the newest migration and this one run side by side on one database, up and back down again, and nobody notices",
  bound:
    "0 sessions lost, 0 answers of 500 or more, 0 errors logged, a schema that does not fit is noticed",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async (tools) => {
    const { say } = tools;
    const old = await checkOutPrevious(tools.onEnd);
    say(`old: ${old.commit.slice(0, 9)}, without ${old.lacks}`);
    const world = await openWorld(tools, old);

    const first = await world.serve("old");
    await world.traffic("old alone", [first]);
    const newer = await world.serve("new");
    await world.traffic("old and new", [first, newer]);
    await newer.stop();
    await first.stop();
    const again = await world.serve("old");
    await world.traffic("old on the new schema", [again]);
    const isWarned = again.log.some(({ newer: names }) => Array.isArray(names));
    const { lost, sessions } = await world.settle(again);
    const { faults } = world;
    for (const fault of faults.slice(0, 10)) say(`fault: ${fault}`);

    await world.spoil();
    await world.traffic("control", [again]).catch(() => {});
    const noticed = world.faults.length - faults.length;
    say(`control: ${noticed} faults with a column renamed; the old code warned: ${isWarned}`);
    return {
      figure: `${lost} lost of ${sessions} sessions, ${faults.length} faults, ${world.answers()} answers`,
      ok: lost === 0 && sessions === 4 * TALKS && faults.length === 0 && noticed > 0 && isWarned,
      size: `${sessions} sessions`,
    };
  },
};

interface World {
  serve(which: "old" | "new"): Promise<ServerProcess>;
  /** Visitors talk, and customers read the export, on each server. */
  traffic(phase: string, servers: ServerProcess[]): Promise<void>;
  /** Waits until every session was delivered and is in the export. */
  settle(server: ServerProcess): Promise<{ lost: number; sessions: number }>;
  /** Makes the schema one that the code does not know. */
  spoil(): Promise<void>;
  /** So far, in a list of its own. */
  readonly faults: string[];
  answers(): number;
}

/** A database that only the old code has migrated, with a customer whom the old `svc` has set up. */
async function openWorld({ onEnd, timeLeftMs }: Tools, old: PreviousCode): Promise<World> {
  const stage = await openStage();
  onEnd(() => stage.close());
  const name = `old_${process.pid}`;
  await stage.database.pool.query(`CREATE DATABASE ${name}`);
  const database = {
    url: stage.cluster.urlFor("postgres", name),
    exportUrl: stage.cluster.urlFor("svc_export", name),
  };
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on("error", () => {});
  onEnd(async () => {
    await pool.end();
    await stage.database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  const model = await startLanguageModel();
  onEnd(() => model.close());
  const receiver = await startWebhookReceiver();
  onEnd(() => receiver.close());
  const svc = async <T>(...argv: string[]): Promise<T> =>
    JSON.parse(await runSvc(database, [...argv, "--json"], {}, old.cli)) as T;
  await svc("db", "migrate");
  await svc("accounts", "add", "acme");
  const { token } = await svc<{ token: string }>("tokens", "issue", "acme", "--label", "x");
  const example = `${ROOT}/server/src/agents/example`;
  const applied = await svc<{ agent_id: string }>("agents", "apply", example, "--account", "acme");
  const agentId = applied.agent_id;
  await svc("webhooks", "add", receiver.url, "--account", "acme");

  const servers: ServerProcess[] = [];
  const sessions: string[] = [];
  const failed: string[] = [];
  let answered = 0;
  const read = async ({ url }: ServerProcess): Promise<Session[]> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/v1/sessions.json`, { headers });
    answered += 1;
    if (response.status !== 200) failed.push(`the export answered ${response.status}`);
    return response.ok ? ((await response.json()) as { items: Session[] }).items : [];
  };
  return {
    serve: async (which) => {
      const environment = {
        SVC_ROLE: "all",
        SVC_MODEL_URL: model.baseUrl,
        SVC_EVALUATION_MODEL: "rehearsal",
        SVC_WEBHOOK_PLAIN_HTTP: "on",
        SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
        SVC_SHUTDOWN_SECS: "5",
      };
      const main = which === "old" ? old.main : undefined;
      const server = await startServerProcess(database, environment, main);
      servers.push(server);
      onEnd(() => server.stop());
      return server;
    },
    traffic: async (phase, on) => {
      const talks = on.flatMap((server) => Array.from({ length: TALKS }, () => server));
      const talking = Promise.all(
        talks.map(async (server) => {
          sessions.push(await talkOnce(server, agentId));
        }),
      ).catch((error: unknown) => void failed.push(`${phase}: ${String(error)}`));
      const over = new AbortController();
      void talking.finally(() => over.abort());
      while (!over.signal.aborted) await Promise.all([...on.map(read), delay(100)]);
    },
    settle: async (server) => {
      const isIn = async (): Promise<boolean> =>
        missing(receiver, sessions, await read(server)) === 0;
      while (!(await isIn()) && timeLeftMs() > 8_000) await delay(200);
      const lost = missing(receiver, sessions, await read(server));
      return { lost, sessions: sessions.length };
    },
    spoil: async () =>
      void (await pool.query("ALTER TABLE session_exports RENAME metadata TO was")),
    get faults() {
      const logged = servers.flatMap(({ log }) => log.filter(({ level }) => isError(level)));
      return [...failed, ...logged.map((line) => JSON.stringify(line))];
    },
    answers: () => answered,
  };
}

const isError = (level: unknown): boolean => level === "error" || level === "fatal";

/** Sessions that were not delivered, or are not in the export as evaluated. */
function missing(receiver: WebhookReceiver, sessions: string[], exported: Session[]): number {
  const delivered = new Set(receiver.requests().map(({ sessionId }) => sessionId));
  const processed = exported.filter(({ status }) => status === "processed").map(({ id }) => id);
  return sessions.filter((id) => !delivered.has(id) || !processed.includes(id)).length;
}

async function talkOnce({ url }: ServerProcess, agentId: string): Promise<string> {
  const visitor = await Visitor.enter(url, {
    agentId,
    language: "en",
    metadata: { plan: "trial" },
  });
  await visitor.listen();
  await visitor.say("Hello, please show me what you have.");
  await visitor.end();
  visitor.leave();
  return visitor.sessionId;
}
