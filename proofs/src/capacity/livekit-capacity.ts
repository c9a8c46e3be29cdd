import { fork } from "node:child_process";
import { STOCK_WORKER, dispatchedRoom } from "@svc/server/testing";
import type { BareLiveOrder } from "@svc/server/testing";
import { freePort } from "@svc/tools/free-port";
import { startLivekit } from "@svc/tools/livekit";
import type { LivekitServer } from "@svc/tools/livekit";
import { waitUntil } from "../browsers/wait-until.ts";
import { livekitAt } from "../livekit/livekit-world.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { COLLECT_ON_SIGNAL, preload } from "../stage/live-memory.ts";
import { socketOf } from "../voice/talk-stage.ts";
import type { TalkStage } from "../voice/talk-stage.ts";
import {
  ANSWER,
  THINKS_MS,
  areTalks,
  compare,
  familyOf,
  openCallers,
  percent,
  sayCosts,
  waste,
} from "./live-capacity.ts";
import type { Callers, Cost, Talking } from "./live-capacity.ts";

/** Of the stock worker's CPU to ours. */
const MIN_TIMES = 2;
const WASTE_MS = 3;
const WASTE_SECS = 20;
const PATIENCE_MS = 60_000;
/** Joining a room, and a new process even more, keeps the machine busy for a while, and a process whose loop is late refuses visitors. */
const BETWEEN_CALLERS_MS = 12_000;
const WASTEFUL_BETWEEN_MS = 3_000;

export const livekitCapacity: Claim<TalkStage> = {
  promise:
    "A core holds at least twice as many calls over LiveKit as LiveKit's own worker, which starts a process for each",
  bound: `CPU of the stock worker ≥ ${MIN_TIMES} times ours, and more memory; a planted waste is noticed`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  prove: async (tools, { model, world, serve, database }) => {
    const { sized, onEnd, say } = tools;
    const size = sized({ quick: { sessions: 3, secs: 60 }, full: { sessions: 3, secs: 240 } });
    model.answers(() => ANSWER, THINKS_MS);
    const callers = openCallers(onEnd);
    const livekit = await startLivekit();
    onEnd(() => livekit.stop());
    let speechUrl = "";
    const startOurs = async (inRoom: boolean, options = ""): Promise<Talking> => {
      const ears = { ears: "scripted", voice: "tone", otherwise: "How long?" } as const;
      const { server, speech } = await serve(onEnd, ears, {
        SVC_LIVE_CAPACITY: "1000",
        SVC_TTS: "openai",
        NODE_OPTIONS: `${COLLECT_ON_SIGNAL} ${options}`,
        ...(inRoom && livekitAt(livekit)),
      });
      speechUrl = speech.url;
      const url = socketOf({ server });
      const enter = async (): Promise<void> =>
        callers.send({ url, visit: await world.visit("voice"), inRoom });
      return { pid: server.pid, url, enter, stop: () => server.stop() };
    };
    const ours = await startOurs(true);
    const socket = await startOurs(false);
    const stock = await startStock(tools, callers, livekit, { speechUrl, modelUrl: model.baseUrl });
    const media: Talking = {
      pid: livekit.pid,
      url: livekit.url,
      enter: async () => {},
      stop: () => livekit.stop(),
      isForeign: true,
    };
    const [joined, worker, overSocket, sfu] = (await compare(
      tools,
      callers,
      [ours, stock, socket, media],
      // A process for each call has nothing that the first ones need for all.
      { ...size, first: 0, betweenMs: BETWEEN_CALLERS_MS },
    )) as [Cost, Cost, Cost, Cost];
    await Promise.all([stock.stop(), socket.stop()]);
    const wasteful = await startOurs(true, preload(waste(WASTE_MS)));
    const [wasted] = (await compare(tools, callers, [wasteful], {
      ...size,
      secs: WASTE_SECS,
      first: 0,
      betweenMs: WASTEFUL_BETWEEN_MS,
    })) as [Cost];
    sayCosts(say, {
      "ours, over LiveKit": joined,
      "the stock worker": worker,
      "ours, over the socket": overSocket,
      "control, waste planted": wasted,
    });
    // Two of the three are in rooms.
    say(`the LiveKit server: ${percent(sfu.cpuShare / 2, 2)} of a core a call`);
    const { rows: ways } = await database.pool.query<{ over: string; calls: number }>(
      "SELECT detail->>'over' AS over, count(*)::int AS calls FROM session_events WHERE kind = 'transport' GROUP BY 1",
    );
    // A room that was lost would have left its call on the socket, which costs less.
    const [way] = ways;
    const areInRooms =
      ways.length === 1 && way?.over === "livekit" && way.calls === 2 * size.sessions;
    if (!areInRooms) say(`not every call stayed in its room: ${JSON.stringify(ways)}`);
    const timesOf = ({ cpuShare }: Cost): number => worker.cpuShare / cpuShare;
    const [times, planted] = [timesOf(joined), timesOf(wasted)];
    const perCore = ({ cpuShare }: Cost): number => Math.floor(1 / cpuShare);
    return {
      figure:
        `${times.toFixed(2)} times the stock worker per core (control, waste planted: ${planted.toFixed(2)}); calls a core: ` +
        `${perCore(joined)} over LiveKit, ${perCore(worker)} by the stock worker, ${perCore(overSocket)} over the socket; ` +
        `memory with all ${size.sessions} calls: ${joined.totalMb.toFixed(0)}, ${worker.totalMb.toFixed(0)} and ${overSocket.totalMb.toFixed(0)} MB`,
      ok:
        areInRooms &&
        areTalks([joined, worker, overSocket]) &&
        times >= MIN_TIMES &&
        planted < MIN_TIMES &&
        joined.totalMb < worker.totalMb,
      size: `${size.sessions} sessions`,
    };
  },
};

/** LiveKit's own way: a worker that is sent jobs, and starts a process for each. */
async function startStock(
  { onEnd }: Tools,
  callers: Callers,
  livekit: LivekitServer,
  order: BareLiveOrder,
): Promise<Talking> {
  const name = "stock";
  const port = await freePort();
  const env = {
    ...process.env,
    NODE_ENV: "production",
    NODE_OPTIONS: COLLECT_ON_SIGNAL,
    LIVEKIT_URL: livekit.url,
    LIVEKIT_API_KEY: livekit.key,
    LIVEKIT_API_SECRET: livekit.secret,
    STOCK_NAME: name,
    STOCK_ORDER: JSON.stringify(order),
    STOCK_PORT: String(port),
  };
  const child = fork(STOCK_WORKER, ["start"], {
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // It leaves its processes behind when it is killed.
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    for (const pid of await familyOf(child.pid!)) process.kill(pid, "SIGKILL");
  };
  onEnd(stop);
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await waitUntil(isReady, PATIENCE_MS, 200)))
    throw new Error("the stock worker did not start");
  const enter = async (): Promise<void> =>
    callers.send({ url: name, room: await dispatchedRoom(livekit, name) });
  return { pid: child.pid!, url: name, enter, stop };
}
