import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { freePort } from "@svc/tools/free-port";
import { startLivekit } from "@svc/tools/livekit";
import type { LivekitServer } from "@svc/tools/livekit";
import { openLine } from "../browser-voice/cuttable-line.ts";
import type { CuttableLine } from "../browser-voice/cuttable-line.ts";
import type { TalkingBrowser } from "../browser-voice/talking-browser.ts";
import { openTalkingSite } from "../browser-voice/talking-site.ts";
import { soundFirst } from "../browsers/sound-card.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { quantile } from "../runner/figures.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { BY_TONES, compareWords } from "../voice/judge-transcript.ts";
import { addVoiceProcess } from "../voice/voice-product.ts";
import type { VoiceProduct } from "../voice/voice-product.ts";
import {
  LONG_QUESTION,
  SPEECH,
  livekitAt,
  readNotice,
  startTalking,
  waysOf,
} from "./livekit-world.ts";
import type { LivekitCall, LivekitWorld } from "./livekit-world.ts";

/**
 * Five calls take 1.8 cores, nearly half of it for their browsers, and those that begin take more. Without cores to spare sockets
 * are lost that nobody has harmed: of two runs with three calls on two cores one held.
 */
const CORES_A_CALL = 1;
const CALLS = Math.min(5, Math.floor(availableParallelism() / CORES_A_CALL));
const MAX_MS = 6_000;
const HEARD_MS = 1_500;
/**
 * Of an answer, in letters: the word that is being said may count or not, where it broke off and where it went on. Not in words,
 * since sound that stutters splits one in two without a word more.
 */
const MAX_OFF_LETTERS = 12;
/** What was on its way when it died is out by then. */
const OUT_AFTER_MS = 500;
/** Five visitors who begin to speak at the same moment are rarer than five calls. */
const APART_MS = 1_000;
const BACK_WITHIN_MS = 20_000;

const DYING = ["a LiveKit node", "a live process"] as const;
type Dying = (typeof DYING)[number];

// K2
export const nodeDies: Claim<LivekitWorld> = {
  promise:
    "Calls over LiveKit go on, all of them, when the LiveKit node under them is killed, or their live process, with another of each",
  bound: `words go on ≤ ${MAX_MS / 1_000} s later at p95, 0 turns lost, doubled or other than played after the greeting, in five calls at once or as many as the cores carry; a turn that is missing is noticed`,
  timeLimitSecs: { quick: 300, full: 2700 },
  tier: "nightly",
  async prove(tools, { product }) {
    const { sized, say, progress, timeLeftMs, onEnd } = tools;
    const redis = await startRedis(onEnd);
    const secret = randomBytes(32).toString("hex");
    // Each has a line before it, as a balancer would be, that leads to the one that is alive.
    const [toNode, toLive] = [await openLine(), await openLine()];
    for (const line of [toNode, toLive]) onEnd(() => line.close());
    const nodes = new Pair(toNode, async () => {
      const node = await startLivekit({ cluster: { redis, secret } });
      onEnd(() => node.stop());
      return { part: node, url: node.url.replace("ws", "http"), pid: node.pid };
    });
    await nodes.fill();
    const cluster = { key: "svc", secret, url: toNode.url.replace("http", "ws") };
    const lives = new Pair(toLive, async () => {
      const settings = { ...livekitAt(cluster), SVC_PUBLIC_URL: toLive.url };
      const part = await addVoiceProcess(onEnd, product, SPEECH, settings);
      toLive.leadTo(part.server.url);
      const { server, agentId } = part;
      await warmUp(onEnd, { agentId, server: { ...server, url: toLive.url } });
      return { part, url: part.server.url, pid: part.server.pid };
    });
    await lives.fill();

    const wanted = CALLS * sized({ quick: DYING.length, full: 10 });
    const calls: Survived[] = [];
    while (calls.length < wanted && timeLeftMs() > 90_000) {
      const dying = DYING[(calls.length / CALLS) % DYING.length]!;
      calls.push(...(await survive(tools, { product, nodes, lives }, dying)));
      progress(calls.length, wanted, "calls");
    }
    for (const { dying, wordsAfterMs, ways, turns } of calls) {
      say(`${dying}: words go on after ${Math.round(wordsAfterMs)} ms; sound went over ${ways}`);
      for (const { role, content } of turns) say(`  ${role}: ${content}`);
    }
    const faults = calls.flatMap(judge);
    for (const fault of faults) say(`wrong: ${fault}`);
    const planted = calls.map((call) => {
      const answerAt = call.turns.findIndex(({ role }) => role === "user") + 1;
      return { ...call, turns: call.turns.toSpliced(answerAt, 1) };
    });
    const noticed = planted.filter((call) => judge(call).length > 0).length;
    say(`control: ${noticed} of ${calls.length} transcripts without one turn are noticed`);
    const p95 = quantile(
      calls.map(({ wordsAfterMs }) => wordsAfterMs),
      0.95,
    );
    return {
      figure: `words go on after ${Math.round(p95)} ms at p95, ${faults.length} faults in ${calls.length} calls, ${CALLS} at once`,
      ok: faults.length === 0 && p95 <= MAX_MS && noticed === calls.length,
      size: `${calls.length} calls, ${CALLS} at once`,
    };
  },
};

interface Member<Part> {
  part: Part;
  url: string;
  pid: number;
}

/** Two of a kind, of which a line leads to the first. */
class Pair<Part> {
  readonly #line: CuttableLine;
  readonly #start: () => Promise<Member<Part>>;
  #members: Member<Part>[] = [];

  constructor(line: CuttableLine, start: () => Promise<Member<Part>>) {
    this.#line = line;
    this.#start = start;
  }

  /** Of the line. */
  get url(): string {
    return this.#line.url;
  }

  get first(): Part {
    return this.#members[0]!.part;
  }

  async fill(): Promise<void> {
    while (this.#members.length < 2) {
      const member = await this.#start();
      soundFirst(member.pid);
      this.#members.push(member);
    }
    this.#line.leadTo(this.#members[0]!.url);
  }

  kill(): void {
    const { pid } = this.#members.shift()!;
    this.#line.leadTo(this.#members[0]!.url);
    process.kill(pid, "SIGKILL");
  }
}

/** The first call of a process takes it longer: one that takes over calls of another has had its own. */
async function warmUp(
  onEnd: Tools["onEnd"],
  product: Pick<VoiceProduct, "server" | "agentId">,
): Promise<void> {
  const site = await openTalkingSite(onEnd, product);
  const { place, visitor } = await startTalking(
    await readNotice(onEnd, site, { isHardlyDrawn: true }),
  );
  const { pcm } = await speak(LONG_QUESTION);
  await visitor.listen();
  await visitor.say(pcm);
  await visitor.listen();
  await place.call.end();
  await place.browser.close();
}

interface Survived {
  dying: Dying;
  wordsAfterMs: number;
  ways: string;
  turns: { role: string; content: string }[];
  /** What was played of each answer, in lengths of words. */
  played: string[][];
  /** Why it did not come to its end. */
  failed?: string | undefined;
}

async function survive(
  { onEnd }: Tools,
  {
    product,
    nodes,
    lives,
  }: { product: VoiceProduct; nodes: Pair<LivekitServer>; lives: Pair<VoiceProduct> },
  dying: Dying,
): Promise<Survived[]> {
  await nodes.fill();
  await lives.fill();
  const { pcm: clip } = await speak(LONG_QUESTION);
  const { agentId, stage } = product;
  const server = { ...lives.first.server, url: lives.url };
  const site = await openTalkingSite(onEnd, { server, agentId });
  const places: TalkingBrowser[] = [];
  while (places.length < CALLS) places.push(await readNotice(onEnd, site, { isHardlyDrawn: true }));
  const { database } = stage;
  const waysTaken = async (sessionId: string): Promise<string[]> =>
    (await waysOf(database, sessionId)).map(({ over }) => over);
  const onLivekit = (sessionId: string): Promise<boolean> =>
    waitUntil(async () => (await waysTaken(sessionId)).at(-1) === "livekit", BACK_WITHIN_MS, 250);
  const calls: (LivekitCall & Pick<Survived, "wordsAfterMs" | "failed">)[] = [];
  // A call costs most when it begins.
  for (const place of places) {
    const call = await startTalking(place);
    await onLivekit(call.sessionId);
    calls.push({ ...call, wordsAfterMs: Number.POSITIVE_INFINITY });
  }
  const all = (
    act: (call: (typeof calls)[number]) => Promise<unknown>,
    apartMs = 0,
  ): Promise<unknown> =>
    Promise.all(
      calls.map(async (call, at) => {
        await delay(at * apartMs);
        if (call.failed !== undefined) return;
        await act(call).catch((error: unknown) => (call.failed = String(error)));
      }),
    );
  await all(({ visitor }) => visitor.listen());
  // Each is in the middle of an answer, which takes ten seconds, when the last one's has begun.
  await all(async ({ visitor }) => {
    await visitor.say(clip);
    await visitor.listenFor(HEARD_MS);
  }, APART_MS);
  const diedAt = performance.now();
  (dying === "a LiveKit node" ? nodes : lives).kill();
  await delay(OUT_AFTER_MS);
  await all(async (call) => {
    call.wordsAfterMs = (await call.place.headset.untilLoud(BACK_WITHIN_MS)) - diedAt;
    await call.visitor.listen();
  });
  await all(async ({ place, visitor, sessionId }) => {
    await visitor.say(clip);
    await visitor.listen();
    await onLivekit(sessionId);
    await place.call.end();
  }, APART_MS);
  for (const { browser } of places) await browser.close();
  return Promise.all(
    calls.map(async ({ sessionId, visitor, wordsAfterMs, failed }) => {
      const { rows: turns } = await database.pool.query<{ role: string; content: string }>(
        "SELECT role, content FROM turns WHERE session_id = $1 ORDER BY seq",
        [sessionId],
      );
      const played = await Promise.all(visitor.played.map(({ pcm }) => BY_TONES.wordsIn(pcm)));
      const ways = (await waysTaken(sessionId)).join(", ");
      return { dying, wordsAfterMs, ways, turns, played, failed };
    }),
  );
}

/**
 * Between two things that the visitor says, what is stored is what was played. Greetings are left out: they are over before anything
 * dies, and calls that begin meanwhile take time that their sound needs.
 */
function judge({ dying, turns, played, ways, failed }: Survived): string[] {
  const faults: string[] = failed === undefined ? [] : [failed];
  if (!ways.startsWith("livekit") || !ways.endsWith("livekit"))
    faults.push(`sound went over ${ways || "the socket"}`);
  const asked = turns.filter(({ role }) => role === "user").map(({ content }) => content);
  if (asked.join() !== [LONG_QUESTION, LONG_QUESTION].join()) faults.push(`asked: ${asked.join()}`);
  const answers: string[][] = [[]];
  for (const { role, content } of turns)
    if (role === "user") answers.push([]);
    else answers.at(-1)!.push(...BY_TONES.wordsOf(content));
  for (const [at, words] of played.entries()) {
    if (at === 0) continue;
    const stored = answers[at] ?? [];
    const { share } = compareWords(stored, words);
    const isOff = Math.abs(letters(stored) - letters(words)) > MAX_OFF_LETTERS;
    if (share < BY_TONES.leastAgreement || isOff)
      faults.push(`"${stored.join(" ")}" was played as "${words.join(" ")}"`);
  }
  return faults.map((fault) => `${dying}: ${fault}`);
}

function letters(lengths: string[]): number {
  return lengths.reduce((sum, length) => sum + Number(length), 0);
}

async function startRedis(onEnd: Tools["onEnd"]): Promise<string> {
  const port = await freePort();
  const child = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onEnd(() => child.kill());
  for await (const line of child.stdout) if (String(line).includes("Ready to accept")) break;
  return `127.0.0.1:${port}`;
}
