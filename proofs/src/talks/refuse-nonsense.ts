import { inMb } from "../runner/figures.ts";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import { createLiveWorld, LiveBrowser } from "@svc/server/testing";
import type { LiveWorld, ServerProcess } from "@svc/server/testing";
import { quantile } from "../runner/figures.ts";
import type { Outcome, Tools } from "../runner/proof.ts";
import { COLLECT_ON_SIGNAL, liveMemory } from "../stage/live-memory.ts";
import { openStage } from "../stage/stage.ts";
import { prepareAttack } from "./nonsense-attack.ts";

export const MAX_GROWTH_MB = 6;
export const MAX_SLOWDOWN = 2;
/** For the planted faults and the end. */
const LAST_PART_MS = 20_000;

/** A live server under attack by nonsense, with visitors who talk on beside it. */
export async function refuseNonsense(tools: Tools): Promise<Outcome> {
  const { seed, full, sized, say, progress, timeLeftMs, onEnd } = tools;
  const size = sized({ quick: 20_000, full: 200_000 });
  const stage = await openStage();
  onEnd(() => stage.close());
  // At the full speed of a stand-in, a visitor would wait for nothing but our own work.
  const model = await startLanguageModel({ pace: { firstTokenMs: 250, tokensPerSec: 60 } });
  onEnd(() => model.close());
  const world = await createLiveWorld(stage.database);
  const startServer = (nodeOptions: string): Promise<ServerProcess> =>
    stage.startServer({
      SVC_ROLE: "live",
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_TRUSTED_PROXIES: "127.0.0.1",
      SVC_SHUTDOWN_SECS: "4",
      NODE_OPTIONS: nodeOptions,
    });

  const server = await startServer(COLLECT_ON_SIGNAL);
  const url = socketOf(server);
  const quiet = await talkBeside(world, url, () => delay(4_000));
  const attack = await prepareAttack(world, url, seed);
  const faults: string[] = [];
  let frames = 0;
  const onFrames = (count: number): void => progress((frames += count), size, "frames");
  faults.push(...(await attack.run({ frames: size / 10, timeMs: 6_000, onFrames })));
  const before = await liveMemory(server);
  const storm = await talkBeside(world, url, async () => {
    const idle = crowd(url);
    const timeMs = Math.min(full ? Infinity : 22_000, timeLeftMs() - LAST_PART_MS);
    faults.push(...(await attack.run({ frames: size - frames, timeMs, onFrames })));
    faults.push(...(await idle));
  });
  const after = await liveMemory(server);
  faults.push(...quiet.faults, ...storm.faults, ...(await attack.judge(stage.database)));
  attack.leave();
  const exitCode = await server.stop();
  if (exitCode !== 0) faults.push(`the server ended with ${exitCode}`);
  const logged = server.log.filter(({ level }) => level === "error" || level === "fatal");
  faults.push(...logged.slice(0, 3).map((line) => `logged ${JSON.stringify(line)}`));
  const growthMb = inMb(after.liveBytes - before.liveBytes);
  const [stormMs, quietMs] = [quantile(storm.repliesMs, 0.5), quantile(quiet.repliesMs, 0.5)];
  say(
    `live memory ${inMb(before.liveBytes)} MB before, ${inMb(after.liveBytes)} MB after; ` +
      `replies in ${Math.round(stormMs)} ms beside the nonsense, ${Math.round(quietMs)} ms without`,
  );

  const faulty = await startServer(`${COLLECT_ON_SIGNAL} ${WRONG_CODE_AND_LEAK}`);
  const planted = await plantedFaults(world, faulty, seed);
  say(`planted, another close code: ${planted.wrong} wrong`);
  say(`planted, 64 KB that each socket leaves behind: ${planted.leakMb} MB more`);
  for (const fault of faults.slice(0, 20)) say(`wrong: ${fault}`);
  const sent = `${frames.toLocaleString("en")} frames`;
  return {
    figure: `${faults.length} wrong of ${sent}, live memory ${growthMb} MB more, replies ${(stormMs / quietMs).toFixed(1)} times as long`,
    ok:
      faults.length === 0 &&
      growthMb <= MAX_GROWTH_MB &&
      stormMs / quietMs <= MAX_SLOWDOWN &&
      planted.wrong > 0 &&
      planted.leakMb > MAX_GROWTH_MB,
    size: sent,
  };
}

interface Heard {
  /** From each question to the first words of its answer. */
  repliesMs: number[];
  faults: string[];
}

/** Visitors who behave talk while `work` is done. */
export async function talkBeside(
  world: LiveWorld,
  url: string,
  work: () => Promise<void>,
  visitors = 3,
): Promise<Heard> {
  const heard: Heard = { repliesMs: [], faults: [] };
  const stopping = new AbortController();
  const talk = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const { browser, welcome } = await world.enter(url);
      const pinging = setInterval(() => browser.ping(), welcome.ping_ms);
      await talkIn(browser, heard, stopping.signal).finally(() => clearInterval(pinging));
      browser.socket.close();
    }
  };
  const talks = Array.from({ length: visitors }, () =>
    talk().catch((error: unknown) => void heard.faults.push(String(error))),
  );
  await work();
  stopping.abort();
  await Promise.all(talks);
  return heard;
}

/** Asks, waits for the answer and asks again, until the agent says goodbye or the signal stops it. */
async function talkIn(
  browser: LiveBrowser,
  { repliesMs }: Heard,
  signal: AbortSignal,
): Promise<void> {
  const isAgents = ({ role }: { role: string }): boolean => role === "assistant";
  // Counted by turn, since an answer that we interrupt is captioned once more, at once.
  const answers = (): number => {
    const captions = browser.all("caption").filter(isAgents);
    return new Set(captions.map(({ turn }) => turn)).size;
  };
  const hasEnded = (): boolean => browser.all("ended").length > 0;
  const hasClosed = (): boolean => browser.closeCode !== undefined;
  await browser.first("caption", isAgents);
  while (!signal.aborted && !hasEnded()) {
    const before = answers();
    const askedAtMs = performance.now();
    browser.send({ type: "text", text: "What can you tell me about it?" });
    await browser.until("answer", () => answers() > before || hasEnded() || hasClosed());
    if (hasClosed()) throw new Error(`a steady visitor was closed with ${browser.closeCode}`);
    if (answers() > before) repliesMs.push(performance.now() - askedAtMs);
    await delay(100);
  }
  if (hasEnded()) return;
  browser.send({ type: "end" });
  await browser.first("ended");
}

/** One address opens sockets and says nothing: some are refused, the rest are closed after five seconds. */
async function crowd(url: string): Promise<string[]> {
  const headers = { "x-forwarded-for": "198.51.100.66" };
  const sockets = await Promise.all(
    Array.from({ length: 80 }, () => LiveBrowser.open(url, headers)),
  );
  const codes = await Promise.all(sockets.map((socket) => socket.closed()));
  const refused = codes.filter((code) => code === 1006).length;
  const late = codes.filter((code) => code === 4004).length;
  return refused === 30 && late === 50
    ? []
    : [`of 80 silent sockets ${refused} were refused and ${late} closed as late, not 30 and 50`];
}

/**
 * For NODE_OPTIONS: a server with two faults. It closes bad frames with the code for a session that
 * moved, and every socket leaves 64 KB behind.
 */
const WRONG_CODE_AND_LEAK = `--import=data:text/javascript,${encodeURIComponent(`
  import { createRequire } from "node:module";
  const { WebSocket, WebSocketServer } = createRequire(process.argv[1])("ws");
  const close = WebSocket.prototype.close;
  WebSocket.prototype.close = function (code, reason) {
    return close.call(this, code === 4000 ? 4001 : code, reason);
  };
  const left = [];
  const handleUpgrade = WebSocketServer.prototype.handleUpgrade;
  WebSocketServer.prototype.handleUpgrade = function (...rest) {
    left.push(new Array(8192).fill(0));
    return handleUpgrade.apply(this, rest);
  };
`)}`;

async function plantedFaults(
  world: LiveWorld,
  server: ServerProcess,
  seed: number,
): Promise<{ wrong: number; leakMb: number }> {
  const url = socketOf(server);
  const attack = await prepareAttack(world, url, seed);
  // Floods take most of the frames; of 300 sometimes none asked for the code that is planted.
  const wrong = await attack.run({ frames: 5_000, timeMs: 5_000 });
  const before = await liveMemory(server);
  for (let socket = 0; socket < 200; socket++) (await LiveBrowser.open(url)).socket.terminate();
  const after = await liveMemory(server);
  attack.leave();
  return { wrong: wrong.length, leakMb: inMb(after.liveBytes - before.liveBytes) };
}

export function socketOf({ url }: ServerProcess): string {
  return `${url.replace("http", "ws")}/sdk/v1/live`;
}
