import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { LiveBrowser } from "@svc/server/testing";
import type { LiveWorld, ServerProcess } from "@svc/server/testing";
import { quantile } from "../runner/figures.ts";
import type { Claim, Outcome, Tools } from "../runner/proof.ts";
import { socketOf, talkBeside } from "../talks/refuse-nonsense.ts";
import type { TalkStage } from "./talk-stage.ts";

const MAX_TIMES = 1.5;
const CALM_TALKS = 5;
/** Whoever waits longer takes the process for dead. */
const HEALTH_WITHIN_MS = 3_000;
/** A live process whose presence is older counts as dead. */
const LEASE_SECS = 15;
/** The longest that may be typed. */
const TYPED = 4_000;
const WORST = [".@", "1’", "一1 ", "$1 ", "。a", "hundred ", "[", "100 ", "́", "a_"].map((unit) =>
  unit.repeat(TYPED).slice(0, TYPED),
);
/** An address may start so many sessions in a minute, by default. */
const STARTS_PER_MINUTE = 20;
const ADDRESS = { "x-forwarded-for": "198.51.100.77" };

export const oneVisitorHarmsNobody: Claim<TalkStage> = {
  promise:
    "One visitor's worst texts, sounds and reconnects slow the calm talks beside them no more than a stranger's process that is as busy; health is answered, and no presence is lost.",
  bound: `answers ≤ ${MAX_TIMES} times as long, 0 looks at the health in vain, 0 calm talks harmed; a planted slow reader is noticed`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: harmNobody,
};

/** Calm talks beside one visitor's worst, compared with the same talks beside a stranger's process that is as busy. */
async function harmNobody(
  { sized, say, progress, onEnd }: Tools,
  { world, model, database, serve }: TalkStage,
): Promise<Outcome> {
  const phaseMs = sized({ quick: 12_000, full: 120_000 });
  model.answers(() => "Yes, gladly. Go on.", 250);
  const start = async (settings: Record<string, string>): Promise<ServerProcess> => {
    const speech = { ears: "scripted", voice: "tone", otherwise: "Go on." } as const;
    const open = { SVC_TRUSTED_PROXIES: "127.0.0.1", SVC_LIVE_CAPACITY: "1000" };
    return (await serve(onEnd, speech, { ...open, ...settings })).server;
  };

  const server = await start({});
  const watch = async (on: ServerProcess, ms: number, work: (ms: number) => Promise<void>) => {
    const before = await cpuSecs(on);
    const health = watchHealth(on, database.pool);
    const startedMs = performance.now();
    const heard = await talkBeside(world, socketOf(on), () => work(ms), CALM_TALKS);
    const tookSecs = (performance.now() - startedMs) / 1_000;
    const after = await cpuSecs(on);
    const [serverLoad, hereLoad] = [
      (after.server - before.server) / tookSecs,
      (after.here - before.here) / tookSecs,
    ];
    const load = serverLoad + hereLoad;
    say(
      `the server takes ${serverLoad.toFixed(2)} of a core, the visitors and vendors ${hereLoad.toFixed(2)}; ${heard.repliesMs.length} answers in ${tookSecs.toFixed(0)} s`,
    );
    return { ...heard, ...(await health.stop()), load, p50: quantile(heard.repliesMs, 0.5) };
  };
  await watch(server, phaseMs / 4, (ms) => delay(ms));
  const calm = await watch(server, phaseMs / 2, (ms) => delay(ms));
  progress(1, 4, "phases");
  const attacked = await watch(server, phaseMs, (ms) => attack(world, socketOf(server), ms));
  progress(2, 4, "phases");
  const busy = Math.max(0, attacked.load - calm.load);
  const beside = await watch(server, phaseMs, (ms) => burn(busy, ms));
  progress(3, 4, "phases");
  const slow = await start({ NODE_OPTIONS: SLOW_READER });
  const planted = await watch(slow, phaseMs / 2, (ms) => attack(world, socketOf(slow), ms));

  const times = attacked.p50 / beside.p50;
  const plantedTimes = planted.p50 / beside.p50;
  const faults = [...calm.faults, ...attacked.faults, ...beside.faults];
  for (const fault of faults.slice(0, 10)) say(`wrong: ${fault}`);
  say(
    `answers in ${calm.p50.toFixed(0)} ms alone, ${attacked.p50.toFixed(0)} ms beside the visitor, ${beside.p50.toFixed(0)} ms beside ${busy.toFixed(2)} of a core of somebody else's`,
  );
  say(
    `planted, a reader whose time grows with the square: ${planted.repliesMs.length} answers${Number.isNaN(plantedTimes) ? "" : `, ${plantedTimes.toFixed(1)} times as long`}, ${planted.late} of ${planted.asked} looks at its health in vain`,
  );
  const isNoticed = planted.faults.length > 0 || planted.late > 0 || !(plantedTimes <= MAX_TIMES);
  return {
    figure: `${times.toFixed(2)} times as long, ${attacked.late} of ${attacked.asked} looks at the health in vain, presence at most ${attacked.presenceSecs.toFixed(0)} s old, ${faults.length} calm talks harmed`,
    ok:
      times <= MAX_TIMES &&
      attacked.late === 0 &&
      attacked.presenceSecs < LEASE_SECS &&
      faults.length === 0 &&
      attacked.repliesMs.length >= CALM_TALKS &&
      isNoticed,
    size: `${attacked.repliesMs.length} answers`,
  };
}

/** Four sessions of one visitor: two type the worst texts, one sends sound as fast as it may, one only comes back. */
async function attack(world: LiveWorld, url: string, ms: number): Promise<void> {
  const untilMs = performance.now() + ms;
  const isOver = (): boolean => performance.now() > untilMs;
  let starts = 0;
  const enter = async (mode: "text" | "voice") => {
    if ((starts += 1) > STARTS_PER_MINUTE * Math.ceil(ms / 60_000))
      throw new Error("the door is closed for this address");
    const { id, ticket } = await world.visit(mode);
    const browser = await LiveBrowser.open(url, ADDRESS);
    const { resume_token: token } = await browser.hello(id, { ticket });
    return { id, browser, token };
  };
  /** Whoever is sent away comes again, as a visitor who means harm does. */
  const persist = async (work: () => Promise<void>): Promise<void> => {
    while (!isOver()) await work().catch(() => delay(200));
  };
  let typed = 0;
  const type = async (): Promise<void> => {
    const { browser } = await enter("text");
    while (!isOver() && browser.closeCode === undefined) {
      browser.send({ type: "text", text: WORST[(typed += 1) % WORST.length]! });
      await delay(300);
    }
    browser.socket.terminate();
  };
  const comeBack = async (mode: "text" | "voice", sounds: Buffer[] = []): Promise<void> => {
    const visit = await enter(mode);
    let { browser, token } = visit;
    while (!isOver()) {
      for (const part of sounds) browser.raw(part);
      await delay(sounds.length === 0 ? 50 : 500);
      browser.socket.terminate();
      browser = await LiveBrowser.open(url, ADDRESS);
      ({ resume_token: token } = await browser.hello(visit.id, { resume_token: token }));
    }
    browser.socket.terminate();
  };
  const sound = Buffer.from(
    Int16Array.from({ length: 32_000 }, (_, at) => 9_000 * Math.sin(at / 20) * Math.sin(at / 900))
      .buffer,
  );
  await Promise.all([
    persist(type),
    persist(type),
    // Twenty seconds of sound are the most that a socket takes at once.
    persist(() => comeBack("voice", Array<Buffer>(9).fill(sound))),
    persist(() => comeBack("text")),
  ]);
}

/** Keeps so many cores busy in processes of their own. */
async function burn(cores: number, ms: number): Promise<void> {
  const count = Math.max(1, Math.ceil(cores));
  const share = cores / count;
  const script = `setInterval(() => { const end = performance.now() + ${20 * share}; while (performance.now() < end); }, 20)`;
  const burners = Array.from({ length: count }, () => spawn(process.execPath, ["-e", script]));
  await delay(ms);
  for (const burner of burners) burner.kill("SIGKILL");
}

/** Of the server, and of this process, which holds the visitors and the vendors. */
async function cpuSecs({
  operationsUrl,
}: ServerProcess): Promise<{ server: number; here: number }> {
  const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
  const [, secs] = /^process_cpu_seconds_total (\S+)/m.exec(metrics) ?? [];
  const { user, system } = process.cpuUsage();
  return { server: Number(secs), here: (user + system) / 1e6 };
}

interface Health {
  asked: number;
  /** Without an answer in time. */
  late: number;
  presenceSecs: number;
}

function watchHealth(
  { operationsUrl }: ServerProcess,
  pool: { query(sql: string): Promise<{ rows: { secs: number | null }[] }> },
): { stop(): Promise<Health> } {
  const health: Health = { asked: 0, late: 0, presenceSecs: 0 };
  const stopping = new AbortController();
  const look = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const signal = AbortSignal.timeout(HEALTH_WITHIN_MS);
      const isWell = await fetch(`${operationsUrl}/healthz`, { signal }).then(
        ({ ok }) => ok,
        () => false,
      );
      health.asked += 1;
      if (!isWell) health.late += 1;
      const { rows } = await pool.query(
        "SELECT extract(epoch FROM clock_timestamp() - max(renewed_at))::float AS secs FROM live_processes",
      );
      health.presenceSecs = Math.max(health.presenceSecs, rows[0]?.secs ?? LEASE_SECS);
      await delay(250);
    }
  };
  const looking = look();
  return {
    async stop() {
      stopping.abort();
      await looking;
      return health;
    },
  };
}

/** For NODE_OPTIONS: reading a text takes a second for 4,000 characters, and four times as long for twice as many. */
const SLOW_READER = `--import=data:text/javascript,${encodeURIComponent(`
  const normalize = String.prototype.normalize;
  String.prototype.normalize = function (...form) {
    const end = this.length > 1000 ? performance.now() + (this.length / 4000) ** 2 * 1000 : 0;
    while (performance.now() < end);
    return normalize.apply(this, form);
  };
`)}`;
