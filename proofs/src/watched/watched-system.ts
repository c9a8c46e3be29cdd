import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import {
  addReceiver,
  changeAccount,
  end,
  NO_START_LIMITS,
  playEvaluated,
  say,
  start,
} from "@svc/server/testing";
import type { Customer } from "@svc/server/testing";
import { openMailServers, talkWithAddress } from "../mail/mail-world.ts";
import { addAsker, talk } from "../pipeline/talks.ts";
import { openStage } from "../stage/stage.ts";
import { JumpingClock } from "../starts/clock-jumps-heal.ts";
import { Visitor } from "../talk/visitor.ts";

/** What makes alerts fire. */
export interface Cause {
  what: string;
  alerts: string[];
  plant(): Promise<void>;
  heal?(): Promise<void>;
}

/** A process of each role with everything that they depend on, and what can go wrong with them. */
export interface WatchedSystem {
  /** The operations ports. */
  targets: string[];
  /** A visitor talks, is evaluated, delivered and mailed. */
  talkThrough(): Promise<void>;
  /** In this order: what is healed late comes late. */
  causes: Cause[];
}

const PLACES = 4;
/** Deliveries to a receiver that never answers: more than may be under way at once. */
const DELIVERIES = 30;
/** More than the alert allows to wait. */
const EVALUATIONS = 40;

export async function openWatchedSystem(
  onEnd: (clean: () => unknown) => void,
): Promise<WatchedSystem> {
  const folder = await mkdtemp(join(tmpdir(), "svc-watched-"));
  onEnd(() => rm(folder, { recursive: true }));
  const clock = await JumpingClock.open(folder, "api");
  const stage = await openStage();
  onEnd(() => stage.close());
  const { database } = stage;
  const { db, pool } = database;
  const model = await startLanguageModel();
  const receiver = await startWebhookReceiver();
  const silent = await startWebhookReceiver({ faults: [{ kind: "silent" }] });
  for (const one of [model, receiver, silent]) onEnd(() => one.close());
  const mail = await openMailServers(onEnd);

  const addOne = async (url: string): Promise<Customer & { endpoint: string }> => {
    const customer = await addAsker(database);
    await changeAccount(db, customer, { followUp: true, limits: NO_START_LIMITS });
    return { ...customer, endpoint: (await addReceiver(db, customer, url)).id };
  };
  const customer = await addOne(receiver.url);
  const keyless = await addOne(receiver.url);
  const slow = await addOne(silent.url);

  const common = {
    SVC_MODEL_URL: model.baseUrl,
    SVC_EVALUATION_MODEL: "rehearsal",
    SVC_MODEL_TIMEOUT_SECS: "30",
    SVC_EVALUATE_AT_ONCE: "1",
    SVC_LIVE_CAPACITY: String(PLACES),
    SVC_ACCOUNT_SHARE: "1",
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
    SVC_SHUTDOWN_SECS: "1",
    ...mail.environment,
  };
  const live = await stage.startServer({ ...common, SVC_ROLE: "live" });
  const liveUrl = `${live.url.replace("http", "ws")}/sdk/v1/live`;
  // The one that is flooded cannot report itself, so a second one keeps the role.
  const [api, other, pipeline] = await Promise.all([
    stage.startServer({ ...common, SVC_DATABASE_CONNECTIONS: "2", SVC_LIVE_URL: liveUrl }),
    stage.startServer({ ...common, ...clock.environment }),
    stage.startServer({ ...common, SVC_ROLE: "pipeline" }),
  ]);

  const enter = async (): Promise<Visitor> => {
    const { agentId } = customer.agent;
    const visitor = await Visitor.enter(api.url, { agentId, language: "en" });
    onEnd(() => visitor.leave());
    await visitor.listen();
    return visitor;
  };
  const readExport = async (token: string): Promise<void> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${api.url}/v1/sessions.json`, { headers }).catch(() => undefined);
    await response?.arrayBuffer();
  };
  /** Ends talks that are to be evaluated. */
  const endTalks = async (count: number, evaluateWithinSecs?: number): Promise<void> => {
    for (let number = 0; number < count; number++) {
      const session = await start(db, customer);
      await say(db, session, talk(number + 2));
      await end(db, session, evaluateWithinSecs === undefined ? {} : { evaluateWithinSecs });
    }
  };
  /** Repeats work until it is stopped. */
  const keepOn = (work: () => Promise<unknown>): (() => void) => {
    const stopping = new AbortController();
    onEnd(() => stopping.abort());
    void (async () => {
      while (!stopping.signal.aborted) await work().catch(() => delay(50));
    })();
    return () => stopping.abort();
  };
  const stops: (() => void)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0)) stop();
  };
  const visitors: Visitor[] = [];

  const causes: Cause[] = [
    {
      what: "trouble with receivers, keys, jobs and mail, and a session that stays open",
      alerts: [
        "SvcDeliveriesOrphaned",
        "SvcDeliveriesExhausted",
        "SvcDeliveriesHeld",
        "SvcDeliveriesLate",
        "SvcExportHeldBack",
        "SvcJobsFailing",
        "SvcMailRefused",
        "SvcMailUnknown",
        "SvcMailStuck",
      ],
      plant: async () => {
        mail.catcher.setFaults([
          { kind: "cut", to: "unknown@mail.test" },
          ...["one", "two", "three", "four"].map((name) => ({
            kind: "reply" as const,
            status: 550,
            to: `${name}@mail.test`,
          })),
          { kind: "reply", status: 451, at: "message" },
        ]);
        for (const name of ["unknown", "one", "two", "three", "four", "later"]) {
          await talkWithAddress(database, customer, `${name}@mail.test`);
        }
        // Deferred mails are tried again after a minute; these come in the meantime.
        stops.push(
          keepOn(async () => {
            await talkWithAddress(database, customer, "later@mail.test");
            await delay(5_000);
          }),
        );
        for (const state of ["orphaned", "exhausted"]) {
          await playEvaluated(db, customer);
          await pool.query(
            `UPDATE deliveries SET state = $1, finished_at = now() WHERE id = (SELECT max(id) FROM deliveries)`,
            [state],
          );
        }
        await pool.query(
          "UPDATE webhook_endpoints SET secret = replace(secret, 'k1:', 'k9:') WHERE id = $1",
          [keyless.endpoint],
        );
        await playEvaluated(db, keyless);
        await pool.query("UPDATE webhook_endpoints SET state = 'paused' WHERE id = $1", [
          slow.endpoint,
        ]);
        for (let number = 0; number < DELIVERIES; number++) await playEvaluated(db, slow);
        await pool.query(
          "UPDATE deliveries SET due_at = now() - interval '10 minutes' WHERE endpoint_id = $1",
          [slow.endpoint],
        );
        await pool.query("UPDATE webhook_endpoints SET state = 'live' WHERE id = $1", [
          slow.endpoint,
        ]);
        await pool.query(
          `INSERT INTO sessions (id, account_id, agent_id, agent_version, test, created_at, connect_by, metadata)
           SELECT gen_random_uuid(), account_id, agent_id, agent_version, false, now() - interval '1 hour', now() + interval '30 minutes', '{}'
           FROM sessions LIMIT 1`,
        );
        for (let count = 0; count < 5; count++) {
          await pool.query("INSERT INTO pgboss.job (name, data) VALUES ('follow-up', '{}')");
        }
      },
      heal: stopAll,
    },
    {
      what: "a clock that jumps, a lock on a table, a process that gets little CPU, a model that answers in prose",
      alerts: [
        "SvcClockJumped",
        "SvcDatabaseWaiting",
        "SvcUnavailable",
        "SvcProcessBusy",
        "SvcEvaluationsUnusable",
      ],
      plant: async () => {
        await model.setFaults([{ kind: "prose" }]);
        await endTalks(5);
        await clock.set("+10m");
        const client = await pool.connect();
        await client.query("BEGIN; LOCK TABLE tokens IN ACCESS EXCLUSIVE MODE");
        stops.push(() => void client.query("ROLLBACK").finally(() => client.release()));
        for (let count = 0; count < 8; count++) {
          stops.push(keepOn(() => readExport(customer.token)));
        }
        stops.push(
          keepOn(async () => {
            process.kill(live.pid, "SIGSTOP");
            await delay(200);
            process.kill(live.pid, "SIGCONT");
            await delay(50);
          }),
        );
      },
      heal: async () => {
        await stopAll();
        await clock.set("+0");
        await delay(500);
        process.kill(live.pid, "SIGCONT");
      },
    },
    {
      what: "a slow model, all places taken, more talks than can be evaluated",
      alerts: [
        "SvcLiveNearlyFull",
        "SvcSlowAnswers",
        "SvcEvaluationBacklog",
        "SvcEvaluationsOverdue",
      ],
      plant: async () => {
        await model.setFaults([]);
        for (let count = 0; count < PLACES; count++) visitors.push(await enter());
        model.setDelay(4_000);
        await endTalks(EVALUATIONS);
        await endTalks(3, 5);
        for (const visitor of visitors) {
          stops.push(keepOn(() => visitor.say("How many people can use it?")));
        }
      },
      heal: stopAll,
    },
    {
      what: "a model that is away",
      alerts: ["SvcProviderDown"],
      plant: () => model.setFaults([{ kind: "refuse" }]),
    },
    {
      what: "live killed",
      alerts: ["SvcDown", "SvcRoleMissing"],
      plant: async () => void process.kill(live.pid, "SIGKILL"),
    },
    {
      what: "pipeline killed",
      alerts: ["SvcPipelineMissing"],
      plant: async () => void process.kill(pipeline.pid, "SIGKILL"),
    },
  ];
  return {
    targets: [api, other, live, pipeline].map(({ operationsUrl }) => operationsUrl),
    talkThrough: async () => {
      const visitor = await enter();
      await visitor.say("We are 40 people in our team.");
      await visitor.end();
      visitor.leave();
      await talkWithAddress(database, customer, "ada@mail.test");
      await readExport(customer.token);
      while (mail.catcher.mails().length === 0) await delay(100);
    },
    causes,
  };
}
