import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import {
  addReceiver,
  changeAccount,
  NO_START_LIMITS,
  startServerProcess,
} from "@svc/server/testing";
import type { ServerProcess, TestDatabase } from "@svc/server/testing";
import { mailsBySession, openMailServers, talkWithAddress } from "../mail/mail-world.ts";
import { runSvc } from "../pipeline/run-svc.ts";
import { addAsker } from "../pipeline/talks.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { Visitor } from "../talk/visitor.ts";
import { openArchivedCluster } from "./restored-cluster.ts";

/** Of each kind. */
const PEOPLE = 3;
/** Deferred mails and failed deliveries are tried again after a minute; nobody waits for that here. */
const HURRY = `
  UPDATE deliveries SET due_at = now() WHERE state = 'waiting';
  UPDATE pgboss.job SET start_after = now() WHERE state IN ('created', 'retry')`;

// G5
export const restoreDrill: Claim<undefined> = {
  promise:
    "A base backup and archived WAL, taken under traffic, are restored to a point in time: nobody is mailed twice, every event arrives, deliveries go on, and who was erased since is erased again",
  bound:
    "0 second mails, 0 events missing, 0 erased people back, 0 sessions of the backup lost; without `svc db restored`, second mails and erased people",
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  prove: async (tools) => {
    const { say } = tools;
    const world = await openDrillWorld(tools);
    await world.talkBefore();
    const before = await world.workBetween();
    await world.lose();
    say(
      `lost: ${before.sessions.size} sessions up to the point in time; after it ${before.mailed.size} had been mailed, ${before.erased.size} erased`,
    );
    const drill = await world.restore("restored", before, true);
    const control = await world.restore("control", before, false);
    for (const [name, found] of Object.entries({ drill, control })) {
      say(
        `${name}: ${found.secondMails} second mails, ${found.missingEvents} events missing, ${found.resumed} deliveries resumed, ${found.back} erased people back, ${found.lost} sessions lost, ${found.newMails} mails of new talks`,
      );
    }
    return {
      figure: `${drill.secondMails} second mails, ${drill.missingEvents} events missing, ${drill.back} of ${before.erased.size} erased people back, ${drill.lost} of ${before.sessions.size} sessions lost, ${drill.resumed} deliveries resumed; control ${control.secondMails} second mails, ${control.back} back`,
      ok:
        drill.secondMails + drill.missingEvents + drill.back + drill.lost === 0 &&
        drill.resumed >= PEOPLE &&
        drill.newMails === 1 &&
        before.erased.size === 2 &&
        control.secondMails >= PEOPLE &&
        control.back === 2,
      size: `${before.sessions.size} sessions`,
    };
  },
};

/** What was there when the database was lost. */
interface Before {
  /** PostgreSQL's own time, to which it is restored. */
  until: string;
  /** The sessions at that time. */
  sessions: Set<string>;
  /** Those that were mailed, and those that were erased, by the end. */
  mailed: Set<string>;
  erased: Set<string>;
  files: string[];
}

interface Found {
  secondMails: number;
  missingEvents: number;
  resumed: number;
  back: number;
  lost: number;
  newMails: number;
}

interface DrillWorld {
  talkBefore(): Promise<void>;
  /** Up to the point in time, and beyond it: mails go out, deliveries arrive, people are erased. */
  workBetween(): Promise<Before>;
  lose(): Promise<void>;
  restore(name: string, before: Before, asDocumented: boolean): Promise<Found>;
}

async function openDrillWorld({ onEnd, timeLeftMs }: Tools): Promise<DrillWorld> {
  const folder = await mkdtemp(join(tmpdir(), "svc-drill-"));
  onEnd(() => rm(folder, { recursive: true }));
  const cluster = await openArchivedCluster(onEnd);
  const { database } = cluster;
  const model = await startLanguageModel();
  const receiver = await startWebhookReceiver();
  for (const one of [model, receiver]) onEnd(() => one.close());
  const { catcher, environment: mailing } = await openMailServers(onEnd);
  const customer = await addAsker(database);
  await changeAccount(database.db, customer, { followUp: true, limits: NO_START_LIMITS });
  await addReceiver(database.db, customer, receiver.url);
  const environment = {
    SVC_ROLE: "all",
    SVC_MODEL_URL: model.baseUrl,
    SVC_EVALUATION_MODEL: "rehearsal",
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
    SVC_SHUTDOWN_SECS: "1",
    ...mailing,
  };
  const serve = async (on: { url: string; exportUrl: string }): Promise<ServerProcess> => {
    const server = await startServerProcess(on, environment);
    onEnd(() => server.stop());
    return server;
  };
  const visit = async ({ url }: ServerProcess): Promise<void> => {
    const visitor = await Visitor.enter(url, { agentId: customer.agent.agentId, language: "en" });
    await visitor.listen();
    await visitor.say("We are 40 people in our team.");
    await visitor.end();
    visitor.leave();
  };
  const until = async (what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isTrue())) {
      if (timeLeftMs() <= 0) throw new Error(`It never came to this: ${what}.`);
      await delay(100);
    }
  };
  const count = async (pool: TestDatabase["pool"], from: string): Promise<number> =>
    (await pool.query(`SELECT FROM ${from}`)).rowCount!;
  const taken = (mails = catcher.mails()): Readonly<(typeof mails)[number]>[] =>
    mails.filter(({ fault }) => fault === undefined);
  const mailedTo = (address: string): boolean => taken().some(({ to }) => to.includes(address));
  const talkWith = (...names: string[]): Promise<void[]> =>
    Promise.all(names.map((name) => talkWithAddress(database, customer, `${name}@mail.test`)));
  const several = (name: string): string[] =>
    Array.from({ length: PEOPLE }, (_, index) => `${name}${index}`);

  const server = await serve(database);
  const traffic = new AbortController();
  onEnd(() => traffic.abort());
  const visiting = (async () => {
    while (!traffic.signal.aborted) await visit(server).catch(() => delay(100));
  })();

  return {
    talkBefore: async () => {
      await talkWith(...several("early"), "linked", "asked");
      await until("the early are mailed", () => mailedTo("linked@mail.test"));
      await until("the asked is mailed", () => mailedTo("asked@mail.test"));
      await cluster.backUp();
    },
    workBetween: async () => {
      const { pool } = database;
      // At the point in time mails are deferred, deliveries have failed once, and evaluations go on.
      catcher.setFaults(
        several("deferred").map((name) => ({
          kind: "reply",
          status: 451,
          at: "message",
          to: `${name}@mail.test`,
        })),
      );
      receiver.setFaults([{ kind: "status", status: 503 }]);
      await talkWith(...several("deferred"));
      await until(
        "mails are deferred",
        async () =>
          (await count(pool, "follow_ups WHERE state = 'waiting' AND attempts > 0")) >= PEOPLE,
      );
      await until(
        "deliveries have failed",
        async () =>
          (await count(pool, "deliveries WHERE state = 'waiting' AND attempts > 0")) >= PEOPLE,
      );
      model.setDelay(3_000);
      await talkWith(...several("pending"));
      const { rows } = await pool.query<{ id: string; now: string }>(
        "SELECT id, clock_timestamp()::text AS now FROM sessions",
      );
      const now = rows[0]!.now;
      // So that what comes now is certainly later.
      await delay(200);

      model.setDelay(0);
      catcher.setFaults([]);
      receiver.setFaults([]);
      const hurrying = setInterval(() => void pool.query(HURRY).catch(() => {}), 1_000);
      onEnd(() => clearInterval(hurrying));
      for (const name of [...several("deferred"), ...several("pending")]) {
        await until(`${name} is mailed`, () => mailedTo(`${name}@mail.test`));
      }
      await until(
        "deliveries have arrived",
        async () =>
          (await count(pool, "deliveries WHERE finished_at IS NULL AND attempts > 0")) === 0,
      );
      clearInterval(hurrying);
      // One asks the operator, the other uses the link in their mail.
      const asked = await runSvc(database, [
        "erase",
        "--email",
        "asked@mail.test",
        "--yes",
        "--json",
      ]);
      const { number } = catcher.mails().find(({ to }) => to.includes("linked@mail.test"))!;
      const [link] =
        /http:\S+?\/you\/(?!unsubscribe)[\w.-]+/.exec(catcher.content(number)!.parsed.text!) ?? [];
      const answer = await fetch(`${link}/delete`, {
        method: "POST",
        body: new URLSearchParams({ what: "everything" }),
      });
      if (!answer.ok) throw new Error(`The link to delete answers ${answer.status}.`);
      const files = [join(folder, "erased.json"), join(folder, "server.log")];
      await writeFile(files[0]!, asked);
      const ids = await pool.query<{ id: string }>("SELECT id FROM sessions");
      const left = new Set(ids.rows.map(({ id }) => id));
      return {
        until: now,
        sessions: new Set(rows.map(({ id }) => id)),
        mailed: new Set(mailsBySession(catcher).keys()),
        erased: new Set(rows.map(({ id }) => id).filter((id) => !left.has(id))),
        files,
      };
    },
    lose: async () => {
      await cluster.archive();
      traffic.abort();
      process.kill(server.pid, "SIGKILL");
      await cluster.lose();
      await visiting;
      const lines = server.log.map((line) => `${JSON.stringify(line)}\n`);
      await writeFile(join(folder, "server.log"), lines.join(""));
    },
    restore: async (name, before, asDocumented) => {
      const restored = await cluster.restore(name, before.until);
      const [mailsBefore, requestsBefore] = [catcher.mails().length, receiver.requests().length];
      const earlier = new Map([...mailsBySession(catcher)].map(([id, { length }]) => [id, length]));
      const waiting = await restored.pool.query<{ session_id: string }>(
        "SELECT DISTINCT session_id FROM deliveries WHERE finished_at IS NULL",
      );
      if (asDocumented) {
        const files = before.files.flatMap((file) => ["--erased", file]);
        await runSvc(restored, ["db", "restored", ...files]);
      }
      const again = await serve(restored);
      await visit(again);
      const hurrying = setInterval(() => void restored.pool.query(HURRY).catch(() => {}), 1_000);
      onEnd(() => clearInterval(hurrying));
      await talkWithAddress(restored, customer, `new-${name}@mail.test`);
      const unfinished = `(SELECT FROM deliveries WHERE finished_at IS NULL
        UNION ALL SELECT FROM follow_ups WHERE finished_at IS NULL
        UNION ALL SELECT FROM sessions WHERE ended_at IS NOT NULL AND settled_at IS NULL) AS left_over`;
      await until("all is done", async () => (await count(restored.pool, unfinished)) === 0);
      clearInterval(hurrying);
      await again.stop();

      const { rows } = await restored.pool.query<{ id: string; status: string }>(
        "SELECT id, status FROM sessions",
      );
      const there = new Set(rows.map(({ id }) => id));
      const processed = rows.filter(({ status }) => status === "processed");
      const accepted = receiver.requests().filter(({ status = 0 }) => status < 300);
      const received = new Set(accepted.map(({ sessionId }) => sessionId));
      const since = new Set(
        accepted.filter((one) => one.number > requestsBefore).map((one) => one.sessionId),
      );
      const mailed = taken(catcher.mails(mailsBefore));
      const mailedAgain = [...mailsBySession(catcher)].filter(
        ([id, { length }]) => earlier.has(id) && before.mailed.has(id) && length > earlier.get(id)!,
      );
      return {
        secondMails: mailedAgain.length,
        missingEvents: processed.filter(({ id }) => !received.has(id)).length,
        resumed: waiting.rows.filter(({ session_id: id }) => since.has(id)).length,
        back: [...before.erased].filter((id) => there.has(id) || since.has(id)).length,
        lost: [...before.sessions].filter((id) => !there.has(id) && !before.erased.has(id)).length,
        newMails: mailed.filter(({ to }) => to.includes(`new-${name}@mail.test`)).length,
      };
    },
  };
}
