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
const ANSWER =
  "A team like yours begins within a day. Somebody adds one line to the page, and everybody else talks.";
const AGENT_SPEAKS = { min: 0.25, max: 0.35 };
const THINKS_MS = 200;
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
    const wasteful = await startOurs(`${COLLECT_ON_SIGNAL} ${preload(WASTE)}`);
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

/** A process that talks. */
interface Talking {
  pid: number;
  url: string;
  /** Sends one more visitor there. */
  enter(): Promise<void>;
  stop(): unknown;
}

interface Ours extends Talking {
  server: ServerProcess;
  speechUrl: string;
}

/** What one session takes. */
interface Cost {
  /** Of a core. */
  cpuShare: number;
  memoryMb: number;
  /** Of the time. */
  agentSpeaks: number;
}

interface Callers {
  send(order: CallerOrder): void;
  heardMs(url: string): number;
}

function openCallers(onEnd: Tools["onEnd"]): Callers {
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
async function compare(
  { progress }: Tools,
  callers: Callers,
  all: Talking[],
  { sessions, secs }: { sessions: number; secs: number },
): Promise<Cost[]> {
  const enter = async (count: number): Promise<void> => {
    for (let come = 0; come < count; come += 1) {
      await Promise.all(all.map((one) => one.enter()));
      await delay(BETWEEN_CALLERS_MS);
    }
    await delay(SETTLE_MS);
  };
  await enter(FIRST_SESSIONS);
  const emptyMb = await Promise.all(all.map(residentMb));
  // A collection makes the loop late, and a process that is late takes nobody until the next stretch is over.
  await delay(2 * STRETCH_MS);
  await enter(sessions - FIRST_SESSIONS);
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
    memoryMb: (fullMb[at]! - emptyMb[at]!) / (sessions - FIRST_SESSIONS),
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
  for (const [who, { cpuShare, memoryMb, agentSpeaks }] of Object.entries({
    ours,
    bare,
    wasteful,
  })) {
    say(
      `${who}: a session takes ${percent(cpuShare, 2)} of a core and ${memoryMb.toFixed(1)} MB; the agent speaks ${percent(agentSpeaks)} of the time`,
    );
  }
  const timesOf = (one: Cost): { cpu: number; memory: number } => ({
    cpu: one.cpuShare / bare.cpuShare,
    memory: one.memoryMb / bare.memoryMb,
  });
  const [times, planted] = [timesOf(ours), timesOf(wasteful)];
  say(
    `control, waste planted: CPU ${planted.cpu.toFixed(2)} and memory ${planted.memory.toFixed(2)} times`,
  );
  const isTalk = [ours, bare].every(
    ({ agentSpeaks }) => agentSpeaks > AGENT_SPEAKS.min && agentSpeaks < AGENT_SPEAKS.max,
  );
  const full =
    held === undefined
      ? `the loop is late with fewer than ${STEP} sessions`
      : `${held.sessions} sessions at ${delayOf(held)} on ${held.cpuShare.toFixed(2)} of a core, ${Math.floor(held.sessions / held.cpuShare)} a core`;
  return {
    figure: `CPU ${times.cpu.toFixed(2)} and memory ${times.memory.toFixed(2)} times a bare AgentSession; ${full}`,
    ok:
      isTalk &&
      held !== undefined &&
      Math.max(times.cpu, times.memory) <= MAX_TIMES &&
      Math.min(planted.cpu, planted.memory) > MAX_TIMES,
    size: `${held?.sessions ?? 0} sessions`,
  };
}

function delayOf({ delayMs }: Level): string {
  return `p99 ${delayMs.toFixed(0)} ms`;
}

function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** User and system time of all its threads: voice detection runs beside the loop. */
async function cpuSecs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name of the program, in parentheses, may have spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SEC;
}

/** What is resident once everything was let go of that can be. */
async function residentMb({ pid }: Talking): Promise<number> {
  for (let round = 0; round < COLLECTIONS; round += 1) {
    process.kill(pid, "SIGUSR2");
    await delay(300);
  }
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024) / 1e6;
}

async function read({ operationsUrl }: ServerProcess, name: string): Promise<number> {
  const metrics = await (await fetch(`${operationsUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1] ?? Number.NaN);
}

/** For NODE_OPTIONS: each frame of a microphone takes half a millisecond more, and leaves 8 KB behind. */
const WASTE = `
  const { copy } = Buffer.prototype;
  const kept = [];
  Buffer.prototype.copy = function (...to) {
    if (this.length === 1024) {
      kept.push(Buffer.alloc(8192, 1));
      const end = performance.now() + 0.5;
      while (performance.now() < end);
    }
    return copy.apply(this, to);
  };
`;
