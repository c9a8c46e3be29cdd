import { execFile } from "node:child_process";
import { chmod, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Session } from "@svc/contract/types";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import { addReceiver, changeAccount, end, NO_START_LIMITS, start } from "@svc/server/testing";
import type { Customer } from "@svc/server/testing";
import { runSvc } from "../pipeline/run-svc.ts";
import { addAsker } from "../pipeline/talks.ts";
import type { Claim } from "../runner/proof.ts";
import { seconds } from "../runner/table.ts";
import { openStage } from "../stage/stage.ts";
import { Visitor } from "../talk/visitor.ts";

const YEARS = ["+1y", "-1y"];
const JUMPS = ["+1h", "-1h", ...YEARS];
/** What a start may be off by, and a second for the request itself. */
const MAX_OFF_MS = 61_000;
const HEALS_WITHIN_MS = 30_000;

// O2
export const clockJumpsHeal: Claim<undefined> = {
  promise:
    "A clock that jumps by an hour or a year moves no session's start and is told of, and calls, evaluations and deliveries go on during it and after it",
  bound:
    "0 sessions missing from the export, started elsewhere than in real time, or talked through and not evaluated and delivered; every jump told of; without containment, starts stay a year ahead",
  tier: "nightly",
  timeLimitSecs: { quick: 300 },
  prove: async ({ say, sized, progress, onEnd }) => {
    const folder = await mkdtemp(join(tmpdir(), "svc-clocks-"));
    onEnd(() => rm(folder, { recursive: true }));
    // PostgreSQL runs as another user, and reads its clock from there.
    await chmod(folder, 0o755);
    const clocks = {
      database: await JumpingClock.open(folder, "database"),
      server: await JumpingClock.open(folder, "server"),
    };
    const stage = await openStage({ environment: clocks.database.environment });
    onEnd(() => stage.close());
    const { database } = stage;
    const model = await startLanguageModel();
    onEnd(() => model.close());
    const receiver = await startWebhookReceiver();
    onEnd(() => receiver.close());
    const [customer, unbounded] = [await addAsker(database), await addAsker(database)];
    for (const one of [customer, unbounded]) {
      await changeAccount(database.db, one, { limits: NO_START_LIMITS });
    }
    await addReceiver(database.db, customer, receiver.url);
    const server = await stage.startServer({
      SVC_ROLE: "all",
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_WEBHOOK_PLAIN_HTTP: "on",
      SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
      SVC_SHUTDOWN_SECS: "1",
      ...clocks.server.environment,
    });

    const startedMs = new Map<string, number>();
    const whole: string[] = [];
    const faults: string[] = [];
    const enter = async ({ agent }: Customer = customer): Promise<Visitor> => {
      const visitor = await healed(() =>
        Visitor.enter(server.url, { agentId: agent.agentId, language: "en" }),
      );
      startedMs.set(visitor.sessionId, Date.now());
      onEnd(() => visitor.leave());
      return visitor;
    };
    const talkThrough = async (): Promise<void> => {
      const visitor = await enter();
      whole.push(visitor.sessionId);
      await visitor.listen();
      await visitor.say("We are 40 people in our team.");
      await visitor.end();
      visitor.leave();
      await healed(async () => {
        const { rows } = await database.pool.query<{ status: string }>(
          "SELECT status FROM sessions WHERE id = $1",
          [visitor.sessionId],
        );
        if (rows[0]?.status !== "processed") throw new Error(`it is ${rows[0]?.status}`);
        if (!receiver.requests().some((one) => one.sessionId === visitor.sessionId)) {
          throw new Error("its event is not delivered");
        }
      });
    };
    const isShown = async (): Promise<boolean> => {
      const metrics = await (await fetch(`${server.operationsUrl}/metrics`)).text();
      const ahead = metrics.matchAll(/^svc_database_clock_ahead_seconds\S* (\S+)$/gm);
      return [...ahead].some(([, secs]) => Math.abs(Number(secs)) > 60);
    };
    const untilShown = (jumped: boolean): Promise<void> =>
      healed(async () => {
        if ((await isShown()) !== jumped) throw new Error(`the metric does not show ${jumped}`);
      });
    /** The server goes on looking after its queue: by a wall clock, or a stamp of the clock that was ahead, it would wait for as long as the jump. */
    const untilKept = async (): Promise<void> => {
      const read = async (): Promise<number> => {
        const { rows } = await database.pool.query<{ at: Date }>(
          "SELECT max(monitor_claim_on) AS at FROM pgboss.queue",
        );
        return Number(rows[0]?.at);
      };
      const before = await read();
      await healed(async () => {
        if ((await read()) === before) throw new Error("nobody looks after the queue");
      });
    };
    /** What the doctor on the server's machine says of the clocks. */
    const examine = async (): Promise<string> => {
      const argv = ["doctor", "--json"];
      const out = await runSvc(database, argv, clocks.server.environment).catch(
        (error: { stdout: string }) => error.stdout,
      );
      const { checks } = JSON.parse(out) as { checks: { name: string; state: string }[] };
      const stateOf = (name: string) => checks.find((one) => one.name === name)?.state;
      return `clock ${stateOf("clock")}, session times ${stateOf("session times")}`;
    };
    /** Returns how long it took. */
    const attempt = async (when: string, work: () => Promise<void>): Promise<string> => {
      const begunAt = performance.now();
      await work().catch((error: unknown) => void faults.push(`${when}: ${String(error)}`));
      return seconds(performance.now() - begunAt);
    };

    let jumps = 0;
    let toldOf = 0;
    // What is stored comes from the database's clock, so the server's is the one to save time at.
    const wanted = {
      database: JUMPS,
      server: sized({ quick: YEARS, full: JUMPS }),
    };
    say(`without a jump: a talk takes ${await attempt("before", talkThrough)}`);
    for (const [whose, clock] of Object.entries(clocks)) {
      for (const jump of wanted[whose as keyof typeof clocks]) {
        const what = `${whose} ${jump}`;
        const across = await enter();
        await clock.set(jump);
        jumps += 1;
        const talked = await attempt(`${what}, during`, talkThrough);
        const open = await enter();
        const shown = await attempt(what, () => untilShown(true));
        await attempt(`${what}, upkeep`, untilKept);
        const during = await examine();
        await clock.set("+0");
        const agreed = await attempt(`${what}, undone`, () => untilShown(false));
        const went = await attempt(`${what}, after`, talkThrough);
        await attempt(`${what}, upkeep after`, untilKept);
        for (const visitor of [across, open]) {
          if (!visitor.screen.hasEnded && !visitor.hasClosed) {
            await attempt(`${what}, last words`, () => visitor.end());
          }
        }
        const after = await examine();
        if (/clock fail/.test(during) && after === "clock ok, session times ok") toldOf += 1;
        say(
          `${what}: a talk takes ${talked}, shown ${shown} later, doctor says ${during}; undone: shown after ${agreed}, a talk takes ${went}, doctor says ${after}`,
        );
        progress(jumps, wanted.database.length + wanted.server.length, "jumps");
      }
    }
    const found = await healed(async () => {
      const items = await walkExport(server.url, customer);
      const missing = [...startedMs.keys()].filter((id) => !items.has(id));
      if (missing.length > 0) throw new Error(`${missing.length} are not exported`);
      return items;
    }).catch(() => walkExport(server.url, customer));
    const missing = [...startedMs.keys()].filter((id) => !found.has(id)).length;
    const isOff = ({ id, created_at: at }: Session): boolean =>
      Math.abs(Date.parse(at) - startedMs.get(id)!) > MAX_OFF_MS;
    const off = [...found.values()].filter(isOff).length;
    const sessions = startedMs.size;

    // The control: a start during the jump that is not bounded keeps the account's later ones there.
    await clocks.database.set("+1y");
    const session = await start(database.db, unbounded);
    startedMs.set(session.id, Date.now());
    await end(database.db, session);
    await clocks.database.set("+0");
    await untilShown(false);
    const later = await enter(unbounded);
    await later.end();
    const { rows } = await database.pool.query<{ id: string; created_at: string }>(
      "SELECT id, created_at::text FROM sessions WHERE account_id = $1",
      [unbounded.account.id],
    );
    const offUnbounded = rows.filter((row) => isOff(row as Session)).length;
    const control = await examine();
    for (const fault of faults) say(`fault: ${fault}`);
    return {
      figure: `${missing} missing, ${off} elsewhere of ${sessions} sessions, ${faults.length} faults with ${whole.length} talked through, ${toldOf} of ${jumps} jumps told of; control ${offUnbounded} of ${rows.length} elsewhere, ${control}`,
      ok:
        missing + off + faults.length === 0 &&
        toldOf === jumps &&
        rows.length === 2 &&
        offUnbounded === 2 &&
        /session times (?:warn|fail)/.test(control),
      size: `${jumps} jumps, ${sessions} sessions`,
    };
  },
};

/** The clock of processes, which jumps while they run. Their steady clocks go on, as they do on a real machine. */
export class JumpingClock {
  readonly environment: Record<string, string>;
  readonly #file: string;

  private constructor(file: string, library: string) {
    this.#file = file;
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
  }

  static async open(folder: string, name: string): Promise<JumpingClock> {
    const { stdout } = await promisify(execFile)("faketime", [
      "-f",
      "+0",
      "printenv",
      "LD_PRELOAD",
    ]).catch((cause: unknown) => {
      throw new Error("faketime, which sets clocks, is missing: apt-get install faketime", {
        cause,
      });
    });
    const clock = new JumpingClock(join(folder, name), stdout.trim());
    await clock.set("+0");
    return clock;
  }

  /** @param offset from real time, such as `+1h` */
  async set(offset: string): Promise<void> {
    // Renamed, since a process that reads half a file would see yet another time.
    await writeFile(`${this.#file}.new`, `${offset}\n`);
    await rename(`${this.#file}.new`, this.#file);
  }
}

/** Tries until it works. */
async function healed<T>(work: () => Promise<T>): Promise<T> {
  for (const startedAt = performance.now(); ;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() - startedAt > HEALS_WITHIN_MS) throw error;
      await delay(100);
    }
  }
}

/** The documented loop: all sessions of the export, by their ids. */
async function walkExport(url: string, { token }: Customer): Promise<Map<string, Session>> {
  const found = new Map<string, Session>();
  for (let since = 0; ;) {
    const response = await fetch(`${url}/v1/sessions.json?since=${since}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { items } = (await response.json()) as { items: Session[] };
    for (const item of items) found.set(item.id, item);
    const last = items.at(-1);
    const next = last && Math.floor(Date.parse(last.created_at) / 1_000);
    if (next === undefined || next === since) return found;
    since = next;
  }
}
