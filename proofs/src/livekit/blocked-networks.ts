import { speak } from "@svc/rehearsal";
import type { LivekitServer } from "@svc/tools/livekit";
import type { Claim, Tools } from "../runner/proof.ts";
import { LONG_QUESTION, waysOf } from "./livekit-world.ts";
import type { LivekitWorld } from "./livekit-world.ts";

const MAX_MS = 5_000;

/** What a network lets through, and the way that sound takes there. */
interface Network {
  name: string;
  blocks: ("udp" | "tcp")[];
  way: "udp" | "tcp" | "socket";
}

const NETWORKS: Network[] = [
  { name: "all open", blocks: [], way: "udp" },
  { name: "no UDP", blocks: ["udp"], way: "tcp" },
  { name: "no UDP and no port of LiveKit's", blocks: ["udp", "tcp"], way: "socket" },
];

export const blockedNetworks: Claim<LivekitWorld> = {
  promise:
    "Where a network blocks UDP, or all but the page's own ports, a call with LiveKit is heard as quickly, both ways",
  bound: `heard within ${MAX_MS / 1_000} s of the click in three networks, over LiveKit another ${MAX_MS / 1_000} s later where it can be reached`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove(tools, world) {
    const { pcm: clip } = await speak(LONG_QUESTION);
    const faults: string[] = [];
    const took: number[] = [];
    for (const network of NETWORKS) {
      const walked = await callIn(tools, world, network, clip);
      tools.say(`${network.name}: ${walked.told}`);
      faults.push(...walked.faults.map((fault) => `${network.name}: ${fault}`));
      took.push(...walked.tookMs);
    }
    for (const fault of faults) tools.say(`wrong: ${fault}`);
    const slowestMs = Math.max(...took);
    return {
      figure: `${faults.length} faults in ${NETWORKS.length} networks, connected within ${(slowestMs / 1_000).toFixed(1)} s`,
      ok: faults.length === 0 && slowestMs <= MAX_MS,
    };
  },
};

/** Asks something, and hears the answer by the way that is due. */
async function callIn(
  { onEnd }: Tools,
  { call, livekit, network, product }: LivekitWorld,
  { blocks, way }: Network,
  clip: Int16Array,
): Promise<{ told: string; tookMs: number[]; faults: string[] }> {
  await network.filter(rulesFor(livekit, blocks));
  const { place, visitor, sessionId, soundAfterMs, soundAt } = await call(onEnd);
  await visitor.listen();
  await visitor.say(clip);
  await visitor.listen();
  const faults = place.page.said().filter((line) => line.startsWith("error"));
  const ways = await waysOf(product.stage.database, sessionId);
  const moved = ways.find(({ over }) => over === "livekit");
  const movedMs = moved && moved.at.getTime() - soundAt;
  // Counted are tries, too: what is blocked is asked, and gets no further.
  const tried = { udp: await network.count("over_udp"), tcp: await network.count("over_tcp") };
  for (const port of blocks) if (tried[port] === 0) faults.push(`nobody tried ${port}`);
  if (way !== "socket" && tried[way] < 100) faults.push(`${tried[way]} packets over ${way}`);
  const taken = ways.map(({ over }) => over).join(", ");
  // It is tried there for 15 s, and the socket carries the call meanwhile.
  const due = way === "socket" ? ["", "ws"] : ["livekit"];
  if (!due.includes(taken)) faults.push(`sound went over ${taken || "the socket"}`);
  await place.browser.close();
  return {
    told: `heard ${ms(soundAfterMs)} after the click, ${movedMs === undefined ? "stayed on the socket" : `over LiveKit ${ms(movedMs)} later`}, ${tried.udp} packets over UDP, ${tried.tcp} over TCP`,
    tookMs: [soundAfterMs, movedMs ?? 0],
    faults,
  };
}

function rulesFor({ mediaPorts }: LivekitServer, blocks: Network["blocks"]): string[] {
  return (["udp", "tcp"] as const).map(
    (port) =>
      `${port} dport ${mediaPorts[port]} counter name over_${port}${blocks.includes(port) ? " drop" : ""}`,
  );
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
