import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BARE_LIVE } from "@svc/server/testing";
import type { BareLiveOrder, ServerProcess } from "@svc/server/testing";
import { quantile } from "../runner/figures.ts";
import type { Claim, Outcome, Tools } from "../runner/proof.ts";
import { COLLECT_ON_SIGNAL, preload } from "../stage/live-memory.ts";
import { socketOf } from "../voice/talk-stage.ts";
import type { TalkStage } from "../voice/talk-stage.ts";
import type { CallerOrder, HeardMs } from "./callers.ts";

const MAX_TIMES = 1.3;
const MAX_DELAY_MS = 50;
/** Six seconds by the stand-in's voice, in a round of twenty. */
export const ANSWER =
  "A team like yours begins within a day. Somebody adds one line to the page, and everybody else talks.";
const AGENT_SPEAKS = { min: 0.25, max: 0.35 };
export const THINKS_MS = 200;
/** What the first ones need once for all, such as compiled code, is not counted to the others. */
const FIRST_SESSIONS = 2;
const BETWEEN_CALLERS_MS = 200;
/** Longer than a round: every visitor has spoken by then. */
const SETTLE_MS = 22_000;
/** For so long the process measures the delay of its loop before it tells it. */
const STRETCH_MS = 10_000;
const LOOKS = 2;
const STEP = 10;
const COLLECTIONS = 3;
/** What Linux counts CPU time in. */
const TICKS_PER_SEC = 100;
const CALLERS = fileURLToPath(new URL("callers.ts", import.meta.url));

export const liveCapacity: Claim<TalkStage> = {
  promise:
    "A talking session costs a `live` process little more than a bare AgentSession with the same sound, and a core holds dozens of them",
  bound: `CPU and memory ≤ ${MAX_TIMES} times a bare AgentSession, ≥ ${STEP} sessions at a loop delay of p99 < ${MAX_DELAY_MS} ms; a planted waste of both is noticed`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  prove: async (tools, { model, world, serve }) => {
    const { sized, onEnd } = tools;
    const { sessions, secs, most } = sized({
      quick: { sessions: 10, secs: 40, most: 50 },
      full: { sessions: 20, secs: 120, most: 150 },
    });
    model.answers(() => ANSWER, THINKS_MS);
    const callers = openCallers(onEnd);
    const startOurs = async (options: string): Promise<Ours> => {
      const speech = {
        ears: "scripted",
        voice: "tone",
        otherwise: "How long does it take?",
      } as const;
      // The voice for which the library has a plugin of its own.
      const settings = { SVC_LIVE_CAPACITY: "1000", SVC_TTS: "openai", NODE_OPTIONS: options };
      const {
        server,
        speech: { url: speechUrl },
      } = await serve(onEnd, speech, settings);
      const url = socketOf({ server });
      const enter = async (): Promise<void> =>
        callers.send({ url, visit: await world.visit("voice") });
      return { server, pid: server.pid, url, speechUrl, enter, stop: () => server.stop() };
    };
    const ours = await startOurs(COLLECT_ON_SIGNAL);
    const wasteful = await startOurs(`${COLLECT_ON_SIGNAL} ${preload(waste(0.5))}`);
    const bare = await startBare(onEnd, callers, {
      speechUrl: ours.speechUrl,
      modelUrl: model.baseUrl,
    });
    const compared = await compare(tools, callers, [ours, bare, wasteful], { sessions, secs });
    await Promise.all([bare.stop(), wasteful.stop()]);
    const held = await fill(tools, ours, most);
    return judge(tools, compared, held);
  },
};

/** A process that talks, with those that it starts. */
export interface Talking {
  pid: number;
  /** Where visitors are told apart by. */
  url: string;
  /** Sends one more visitor there. */
  enter(): Promise<void>;
  stop(): unknown;
  /** A signal to collect garbage would end it. */
  isForeign?: true;
}

interface Ours extends Talking {
  server: ServerProcess;
  speechUrl: string;
}

/** What one session takes. */
export interface Cost {
  /** Of a core. */
  cpuShare: number;
  memoryMb: number;
  /** Of all sessions, with what the processes need without any. */
  totalMb: number;
  /** Of the time. */
  agentSpeaks: number;
}

export interface Callers {
  send(order: CallerOrder): void;
  heardMs(url: string): number;
}

export function openCallers(onEnd: Tools["onEnd"]): Callers {
  const child = fork(CALLERS);
  onEnd(() => child.kill("SIGKILL"));
  let heard: HeardMs = {};
  child.on("message", (all: HeardMs) => void (heard = all));
  return { send: (order) => void child.send(order), heardMs: (url) => heard[url] ?? 0 };
}

async function startBare(
  onEnd: Tools["onEnd"],
  callers: Callers,
  order: BareLiveOrder,
): Promise<Talking> {
  const env = { ...process.env, NODE_ENV: "production", NODE_OPTIONS: COLLECT_ON_SIGNAL };
  const child = fork(BARE_LIVE, [JSON.stringify(order)], { env });
  const stop = (): unknown => child.kill("SIGKILL");
  onEnd(stop);
  const [port] = (await once(child, "message")) as [number];
  const url = `ws://127.0.0.1:${port}/`;
  return { pid: child.pid!, url, enter: async () => callers.send({ url }), stop };
}

/** All at the same time, so that the same load of the machine hits all. */
export async function compare(
  { progress }: Tools,
  callers: Callers,
  all: Talking[],
  {
    sessions,
    secs,
    first = FIRST_SESSIONS,
    betweenMs = BETWEEN_CALLERS_MS,
  }: { sessions: number; secs: number; first?: number; betweenMs?: number },
): Promise<Cost[]> {
  const enter = async (count: number): Promise<void> => {
    for (let come = 0; come < count; come += 1) {
      for (const one of all) {
        await one.enter();
        await delay(betweenMs / all.length);
      }
    }
    await delay(SETTLE_MS);
  };
  if (first > 0) await enter(first);
  const emptyMb = await Promise.all(all.map(residentMb));
  // A collection makes the loop late, and a process that is late takes nobody until the next stretch is over.
  await delay(2 * STRETCH_MS);
  await enter(sessions - first);
  progress(1, 2, "phases of the comparison");
  const look = (): Promise<{ cpuSecs: number; heardMs: number }[]> =>
    Promise.all(
      all.map(async (one) => ({
        cpuSecs: await cpuSecs(one.pid),
        heardMs: callers.heardMs(one.url),
      })),
    );
  const before = await look();
  const startedMs = performance.now();
  await delay(secs * 1_000);
  const after = await look();
  const tookMs = performance.now() - startedMs;
  const fullMb = await Promise.all(all.map(residentMb));
  return all.map((_, at) => ({
    cpuShare: ((after[at]!.cpuSecs - before[at]!.cpuSecs) * 1_000) / tookMs / sessions,
    agentSpeaks: (after[at]!.heardMs - before[at]!.heardMs) / tookMs / sessions,
    memoryMb: (fullMb[at]! - emptyMb[at]!) / (sessions - first),
    totalMb: fullMb[at]!,
  }));
}

/** So many sessions, and how the process was with them. */
interface Level {
  sessions: number;
  delayMs: number;
  cpuShare: number;
}

/** Lets more and more visitors come while the loop is in time. Returns the last level at which it was. */
async function fill(
  { say, timeLeftMs }: Tools,
  { server, pid, enter }: Ours,
  most: number,
): Promise<Level | undefined> {
  const levelMs = SETTLE_MS + LOOKS * STRETCH_MS;
  for (let held: Level | undefined; ;) {
    if (timeLeftMs() < levelMs) return held;
    await delay(SETTLE_MS);
    const usedSecs = await cpuSecs(pid);
    const startedMs = performance.now();
    const delaysMs: number[] = [];
    while (delaysMs.length < LOOKS) {
      await delay(STRETCH_MS);
      delaysMs.push((await read(server, "svc_live_loop_delay_seconds")) * 1_000);
    }
    const cpuShare = ((await cpuSecs(pid)) - usedSecs) / ((performance.now() - startedMs) / 1_000);
    const sessions = await read(server, "svc_live_sessions");
    const level = { sessions, delayMs: quantile(delaysMs, 0.5), cpuShare };
    say(`${sessions} sessions: ${delayOf(level)}, ${cpuShare.toFixed(2)} of a core`);
    if (level.delayMs >= MAX_DELAY_MS) return held;
    held = level;
    if (sessions >= most) return held;
    for (let come = 0; come < STEP; come += 1) {
      await enter();
      await delay(BETWEEN_CALLERS_MS);
    }
  }
}

function judge({ say }: Tools, costs: Cost[], held: Level | undefined): Outcome {
  const [ours, bare, wasteful] = costs as [Cost, Cost, Cost];
  sayCosts(say, { ours, bare, wasteful });
  const timesOf = (one: Cost): { cpu: number; memory: number } => ({
    cpu: one.cpuShare / bare.cpuShare,
    memory: one.memoryMb / bare.memoryMb,
  });
  const [times, planted] = [timesOf(ours), timesOf(wasteful)];
  say(
    `control, waste planted: CPU ${planted.cpu.toFixed(2)} and memory ${planted.memory.toFixed(2)} times`,
  );
  const full =
    held === undefined
      ? `the loop is late with fewer than ${STEP} sessions`
      : `${held.sessions} sessions at ${delayOf(held)} on ${held.cpuShare.toFixed(2)} of a core, ${Math.floor(held.sessions / held.cpuShare)} a core`;
  return {
    figure: `CPU ${times.cpu.toFixed(2)} and memory ${times.memory.toFixed(2)} times a bare AgentSession; ${full}`,
    ok:
      areTalks([ours, bare]) &&
      held !== undefined &&
      Math.max(times.cpu, times.memory) <= MAX_TIMES &&
      Math.min(planted.cpu, planted.memory) > MAX_TIMES,
    size: `${held?.sessions ?? 0} sessions`,
  };
}

export function sayCosts(say: Tools["say"], costs: Record<string, Cost>): void {
  for (const [who, { cpuShare, memoryMb, agentSpeaks }] of Object.entries(costs)) {
    say(
      `${who}: a session takes ${percent(cpuShare, 2)} of a core and ${memoryMb.toFixed(1)} MB; the agent speaks ${percent(agentSpeaks)} of the time`,
    );
  }
}

/** Otherwise they are not compared by the same sound. */
export function areTalks(costs: Cost[]): boolean {
  return costs.every(
    ({ agentSpeaks }) => agentSpeaks > AGENT_SPEAKS.min && agentSpeaks < AGENT_SPEAKS.max,
  );
}

function delayOf({ delayMs }: Level): string {
  return `p99 ${delayMs.toFixed(0)} ms`;
}

export function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** User and system time of all its threads, since voice detection runs beside the loop, and of the processes that it has started. */
async function cpuSecs(pid: number): Promise<number> {
  let secs = 0;
  for (const one of await familyOf(pid)) {
    const stat = await readFile(`/proc/${one}/stat`, "utf8");
    // The name of the program, in parentheses, may have spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    secs += (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SEC;
  }
  return secs;
}

/** What is resident once everything was let go of that can be. What processes share is divided among them. */
async function residentMb({ pid, isForeign }: Talking): Promise<number> {
  const all = await familyOf(pid);
  const collecting = isForeign ? [] : all;
  for (let round = 0; round < COLLECTIONS; round += 1) {
    for (const one of collecting) process.kill(one, "SIGUSR2");
    await delay(300);
  }
  let bytes = 0;
  for (const one of all) {
    const rollup = await readFile(`/proc/${one}/smaps_rollup`, "utf8");
    bytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) * 1_024;
  }
  return bytes / 1e6;
}

/** A process and all that descend from it. */
export async function familyOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const theirs = await Promise.all(
    children.trim().split(" ").filter(Boolean).map(Number).map(familyOf),
  );
  return [pid, ...theirs.flat()];
}

async function read({ operationsUrl }: ServerProcess, name: string): Promise<number> {
  const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1] ?? Number.NaN);
}

/** For NODE_OPTIONS: each frame of a microphone takes so much longer, and leaves 8 KB behind. */
export const waste = (ms: number): string => `
  const { copy } = Buffer.prototype;
  const kept = [];
  Buffer.prototype.copy = function (...to) {
    if (this.length === 1024) {
      kept.push(Buffer.alloc(8192, 1));
      const end = performance.now() + ${ms};
      while (performance.now() < end);
    }
    return copy.apply(this, to);
  };
`;
