import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { freePort } from "@svc/tools/free-port";
import { startLivekit } from "@svc/tools/livekit";
import type { LivekitServer } from "@svc/tools/livekit";
import { openLine } from "../browser-voice/cuttable-line.ts";
import type { CuttableLine } from "../browser-voice/cuttable-line.ts";
import { openTalkingSite } from "../browser-voice/talking-site.ts";
import { soundFirst } from "../browsers/sound-card.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { quantile } from "../runner/figures.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { BY_TONES, compareWords } from "../voice/judge-transcript.ts";
import { addVoiceProcess } from "../voice/voice-product.ts";
import type { VoiceProduct } from "../voice/voice-product.ts";
import { LONG_QUESTION, SPEECH, beginCall, livekitAt, waysOf } from "./livekit-world.ts";
import type { LivekitWorld } from "./livekit-world.ts";

const MAX_MS = 6_000;
const HEARD_MS = 1_500;
/** Of an answer: the word that is being said may count or not, where it broke off and where it went on. */
const MAX_OFF_WORDS = 2;
/** What was on its way when it died is out by then. */
const OUT_AFTER_MS = 500;
const BACK_WITHIN_MS = 20_000;

const DYING = ["a LiveKit node", "a live process"] as const;
type Dying = (typeof DYING)[number];

// K2
export const nodeDies: Claim<LivekitWorld> = {
  promise:
    "A call over LiveKit goes on when the LiveKit node under it is killed, or its live process, with another of each",
  bound: `words go on ≤ ${MAX_MS / 1_000} s later at p95, 0 turns lost, doubled or other than played; a turn that is missing is noticed`,
  timeLimitSecs: { quick: 300 },
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
      return { part, url: part.server.url, pid: part.server.pid };
    });
    await lives.fill();

    const wanted = sized({ quick: DYING.length, full: 10 });
    const calls: Survived[] = [];
    while (calls.length < wanted && timeLeftMs() > 60_000) {
      calls.push(await survive(tools, { product, nodes, lives }, DYING[calls.length % 2]!));
      progress(calls.length, wanted, "calls");
    }
    for (const { dying, wordsAfterMs, ways, turns } of calls) {
      say(`${dying}: words go on after ${Math.round(wordsAfterMs)} ms; sound went over ${ways}`);
      for (const { role, content } of turns) say(`  ${role}: ${content}`);
    }
    const faults = calls.flatMap(judge);
    for (const fault of faults) say(`wrong: ${fault}`);
    const planted = calls.map((call) => ({ ...call, turns: call.turns.toSpliced(2, 1) }));
    const noticed = planted.filter((call) => judge(call).length > 0).length;
    say(`control: ${noticed} of ${calls.length} transcripts without one turn are noticed`);
    const p95 = quantile(
      calls.map(({ wordsAfterMs }) => wordsAfterMs),
      0.95,
    );
    return {
      figure: `words go on after ${Math.round(p95)} ms at p95, ${faults.length} faults in ${calls.length} calls`,
      ok: faults.length === 0 && p95 <= MAX_MS && noticed === calls.length,
      size: `${calls.length} calls`,
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

interface Survived {
  dying: Dying;
  wordsAfterMs: number;
  ways: string;
  turns: { role: string; content: string }[];
  /** What was played of each answer, in lengths of words. */
  played: string[][];
}

async function survive(
  { onEnd }: Tools,
  {
    product,
    nodes,
    lives,
  }: { product: VoiceProduct; nodes: Pair<LivekitServer>; lives: Pair<VoiceProduct> },
  dying: Dying,
): Promise<Survived> {
  await nodes.fill();
  await lives.fill();
  const { pcm: clip } = await speak(LONG_QUESTION);
  const { agentId } = product;
  const server = { ...lives.first.server, url: lives.url };
  const { place, visitor, sessionId } = await beginCall(
    onEnd,
    await openTalkingSite(onEnd, { server, agentId }),
  );
  await visitor.listen();
  await visitor.say(clip);
  await visitor.listenFor(HEARD_MS);
  const diedAt = performance.now();
  (dying === "a LiveKit node" ? nodes : lives).kill();
  await delay(OUT_AFTER_MS);
  const wordsAfterMs = (await place.headset.untilLoud(BACK_WITHIN_MS)) - diedAt;
  await visitor.listen();
  await visitor.say(clip);
  await visitor.listen();
  const { database } = product.stage;
  const way = async (): Promise<string | undefined> =>
    (await waysOf(database, sessionId)).at(-1)?.over;
  await waitUntil(async () => (await way()) === "livekit", BACK_WITHIN_MS);
  await place.call.end();
  await place.browser.close();
  const { rows: turns } = await database.pool.query<{ role: string; content: string }>(
    "SELECT role, content FROM turns WHERE session_id = $1 ORDER BY seq",
    [sessionId],
  );
  const ways = (await waysOf(database, sessionId)).map(({ over }) => over).join(", ");
  const played = await Promise.all(visitor.played.map(({ pcm }) => BY_TONES.wordsIn(pcm)));
  return { dying, wordsAfterMs, ways, turns, played };
}

/** Between two things that the visitor says, what is stored is what was played. */
function judge({ dying, turns, played, ways }: Survived): string[] {
  const faults: string[] = [];
  if (!ways.startsWith("livekit") || !ways.endsWith("livekit"))
    faults.push(`sound went over ${ways || "the socket"}`);
  const asked = turns.filter(({ role }) => role === "user").map(({ content }) => content);
  if (asked.join() !== [LONG_QUESTION, LONG_QUESTION].join()) faults.push(`asked: ${asked.join()}`);
  const answers: string[][] = [[]];
  for (const { role, content } of turns)
    if (role === "user") answers.push([]);
    else answers.at(-1)!.push(...BY_TONES.wordsOf(content));
  for (const [at, words] of played.entries()) {
    const stored = answers[at] ?? [];
    const { share } = compareWords(stored, words);
    const isOff = Math.abs(stored.length - words.length) > MAX_OFF_WORDS;
    if (share < BY_TONES.leastAgreement || isOff)
      faults.push(`"${stored.join(" ")}" was played as "${words.join(" ")}"`);
  }
  return faults.map((fault) => `${dying}: ${fault}`);
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
