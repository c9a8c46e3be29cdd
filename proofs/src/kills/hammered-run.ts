import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import { addCustomer, addReceiver, changeAccount } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { matchRequests, readDeliveries } from "../deliveries/judge-deliveries.ts";
import type { Witnessed } from "../deliveries/judge-deliveries.ts";
import { mailsBySession, openMailServers, readMailed } from "../mail/mail-world.ts";
import type { MailedSession } from "../mail/mail-world.ts";
import { runSvc } from "../pipeline/run-svc.ts";
import { addAsker } from "../pipeline/talks.ts";
import type { Tools } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { startControl } from "./control.ts";
import type { ControlOutcome } from "./control.ts";
import { checkEvents, checkSessions, countOpen } from "./findings.ts";
import type { EventFindings, SessionFindings } from "./findings.ts";
import { Fleet } from "./fleet.ts";
import type { Failpoints } from "./fleet.ts";
import { hammer } from "./hammer.ts";
import type { Blows } from "./hammer.ts";
import { readCutDeliveries, readJobLog, recoveries, watchJobs } from "./job-log.ts";
import { endSessions, persist, writeEvents } from "./load.ts";

/** Everything the claims judge: one run in which processes and PostgreSQL were killed under load. */
export interface HammeredRun {
  kills: number;
  /** How often a process died at which failpoint. */
  diedAt: ReadonlyMap<string, number>;
  blows: Blows;
  /** For each job that was cut short: how long until it ran again. */
  recoveriesMs: number[];
  /** Processes that ended unexpectedly, and jobs that ran again though nothing had cut them short. */
  faults: string[];
  sessions: SessionFindings;
  events: EventFindings;
  deliveries: Witnessed[];
  mails: {
    sessions: MailedSession[];
    copiesOf(sessionId: string): number;
    /** Sessions whose mail must have been ordered. */
    addressed: ReadonlyMap<string, boolean>;
    /** What `svc` lists as unknown. */
    listed: string[];
  };
  control: ControlOutcome;
}

/** Where processes kill themselves: one process at a time for each of the three kinds of work. */
export const FAILPOINTS = {
  evaluate: {
    "evaluate:claimed": 0.2,
    "evaluate:answered": 0.2,
    "evaluate:writing": 0.2,
    "evaluate:written": 0.2,
    "sweep:settling": 0.5,
    "domain:answered": 0.5,
  },
  deliver: {
    "deliver:claimed": 0.1,
    "deliver:answered": 0.1,
    "deliver:recording": 0.1,
    "deliver:recorded": 0.1,
  },
  mail: {
    "follow-up:claimed": 0.8,
    "follow-up:sending": 0.8,
    "follow-up:sent": 0.8,
    "follow-up:recording": 0.8,
    "follow-up:recorded": 0.8,
  },
} satisfies Record<string, Failpoints>;
/** Of each of the three kinds. A slow machine has no time for all. */
export const ENOUGH_PLACES = 3;
/** No list of `svc` is longer. */
export const MAX_LISTED = 1_000;

const SESSIONS_PER_SECOND = 6;
const EVENTS_PER_SECOND = 3;
const MODEL_TAKES_MS = 250;
const CONTROL_PATH = "/careless";
/** What hammering leaves of the time to open: the rest of the run has the time of the first claim. */
const STOP_MS = 14_000;

/** Hammers while the proof is opened; the first claim waits for the work to finish, and gathers what all claims judge. */
export async function openHammeredRun(
  tools: Tools,
): Promise<(claim: Tools) => Promise<HammeredRun>> {
  const { seed, sized, progress, onEnd, timeLeftMs } = tools;
  const stage = await openStage({ durable: true });
  onEnd(() => stage.close());
  const { database } = stage;
  await watchJobs(database);
  const model = await startLanguageModel({ delayMs: MODEL_TAKES_MS });
  onEnd(() => model.close());
  const { catcher, environment: mailEnvironment } = await openMailServers(onEnd);
  // Slow enough that senders are killed meanwhile, and at times gone itself before it has answered.
  catcher.setFaults([
    { kind: "cut", share: 0.03 },
    { kind: "late", afterMs: 300, share: 0.5 },
  ]);
  const status = { kind: "status", status: 503, share: 0.3 } as const;
  const receiver = await startWebhookReceiver({
    faults: [
      { kind: "late", afterMs: 300, path: "/slow", share: 0.5 },
      { ...status, path: "/failing" },
      { ...status, path: CONTROL_PATH },
    ],
  });
  onEnd(() => receiver.close());
  const visited = await addAsker(database);
  await changeAccount(database.db, visited, { followUp: true });
  const written = await addCustomer(database.db);
  const paths = new Map<string, string>();
  for (const [path, customer] of [
    ["/visited", visited],
    ["/well", written],
    ["/slow", written],
    ["/failing", written],
  ] as const) {
    paths.set((await addReceiver(database.db, customer, receiver.url + path)).id, path);
  }

  const compiled = await mkdtemp(join(tmpdir(), "svc-compiled-"));
  onEnd(() => rm(compiled, { recursive: true, force: true }));
  const fleet = new Fleet(database, {
    NODE_COMPILE_CACHE: compiled,
    SVC_MODEL_URL: model.baseUrl,
    SVC_EVALUATE_WITHIN_SECS: "30",
    SVC_WEBHOOK_RETRY_SECS: "2",
    ...mailEnvironment,
  });
  onEnd(() => fleet.stop());
  await fleet.prepare();
  for (const failpoints of [...Object.values(FAILPOINTS), {}, {}]) fleet.keep(failpoints);
  await fleet.ready();
  const control = await startControl(database, receiver, CONTROL_PATH);
  onEnd(() => control.stop());
  const random = new Random(seed);
  const events = writeEvents(database, written, random, EVENTS_PER_SECOND);
  const sessions = endSessions(database, visited, random, SESSIONS_PER_SECOND);

  const wanted = sized({ quick: 30, full: 10_000 });
  const blows = await hammer({
    stage,
    fleet,
    control,
    random,
    isEnough: (kills) => {
      progress(kills, wanted, "kills");
      return kills >= wanted && placesOf(fleet.diedAt).every((places) => places >= ENOUGH_PLACES);
    },
    hasTime: () => timeLeftMs() > STOP_MS,
  });
  const kills = fleet.deaths.length + blows.backends + blows.postgres;
  fleet.calm();

  async function finish(claim: Tools): Promise<HammeredRun> {
    const [carelessly] = await Promise.all([control.end(), events.stop(), sessions.stop()]);
    // A start whose answer got lost is nobody's: without this it has a minute to connect.
    await persist(() =>
      database.pool.query(
        "UPDATE sessions SET connect_by = clock_timestamp() WHERE connected_at IS NULL",
      ),
    );
    while ((await persist(() => countOpen(database, visited))) > 0 && claim.timeLeftMs() > 0) {
      await delay(200);
    }
    await delay(1_000);
    const cut = await persist(() => readCutDeliveries(database));
    // A delivery's row counts crashes of ours only, but every run that was cut short may have cost a request.
    const deliveries = (await persist(() => readDeliveries(database))).map((one) => ({
      ...one,
      orphans: cut.get(one.id) ?? 0,
    }));
    const { gapsMs, unexplained } = recoveries(await persist(() => readJobLog(database)), [
      ...fleet.deaths,
      ...blows.outages.map(({ fromMs }) => ({ atMs: fromMs })),
      ...Object.values(blows.frozen).map(({ since }) => since),
    ]);
    const list = ["mail", "list", "--state", "unknown", "--limit", String(MAX_LISTED), "--json"];
    const { mails } = JSON.parse(
      await runSvc(database, list, { NODE_COMPILE_CACHE: compiled }),
    ) as {
      mails: { session_id: string }[];
    };
    const caught = mailsBySession(catcher);
    claim.say(
      `${kills} kills: ${blows.backends} backends, ${blows.postgres} times PostgreSQL, the others processes, of these ${JSON.stringify(Object.fromEntries(fleet.diedAt))}`,
    );
    return {
      kills,
      diedAt: fleet.diedAt,
      blows,
      recoveriesMs: gapsMs,
      faults: [...fleet.faults, ...unexplained.map((job) => `ran again for no reason: ${job}`)],
      sessions: await checkSessions(database, visited, [...sessions.acknowledged.keys()]),
      events: await checkEvents(database, events.acknowledged),
      deliveries: matchRequests(deliveries, receiver.requests(), paths),
      mails: {
        sessions: await readMailed(database),
        copiesOf: (id) => caught.get(id)?.length ?? 0,
        addressed: sessions.acknowledged,
        listed: mails.map((mail) => mail.session_id),
      },
      control: carelessly,
    };
  }
  let run: Promise<HammeredRun> | undefined;
  return (claim) => (run ??= finish(claim));
}

/** At how many places processes died, for each kind of work. */
function placesOf(diedAt: ReadonlyMap<string, number>): number[] {
  return Object.values(FAILPOINTS).map(
    (failpoints) => Object.keys(failpoints).filter((name) => diedAt.has(name)).length,
  );
}
