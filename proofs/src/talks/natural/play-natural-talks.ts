import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readTalks, startNameServer, startReplayModel, writeWordFree } from "@svc/rehearsal";
import type { ReplayModel, ReplaySettings, Talk } from "@svc/rehearsal";
import { addCustomer, applyFolder, changeAccount } from "@svc/server/testing";
import type { Customer } from "@svc/server/testing";
import type { Session } from "@svc/contract/types";
import { quantile } from "../../runner/figures.ts";
import type { Tools } from "../../runner/proof.ts";
import { ROOT } from "../../runner/claims.ts";
import { ConcurrencyLimit } from "../../stage/concurrency-limit.ts";
import { openStage } from "../../stage/stage.ts";
import type { Stage } from "../../stage/stage.ts";
import { playTalk } from "./play-talk.ts";
import type { PlayedTalk, TalkStage } from "./play-talk.ts";
import { reportRun } from "./report-run.ts";
import { breachesOf, sumUp } from "./sum-up.ts";
import type { Bounds, RunSums } from "./sum-up.ts";
import { CLOCK_OF_THE_TALK } from "./talk-clock.ts";

const AT_ONCE = 12;
const EXPORTED_MS = 60_000;
const VERIFIED: Bounds = { lostShare: 0.02, lostPerLanguage: 3, hardShare: 0.02, softShare: 0.25 };
const UNVERIFIED: Bounds = {
  lostShare: 0.05,
  lostPerLanguage: Infinity,
  hardShare: 0,
  softShare: 1,
};

export const BOUND =
  "verifier 10 % wrong, 10 % late: ≤ 2 % of what is true lost, ≤ 2 % of invented figures, links and secrets and ≤ 25 % of other inventions heard, also when said again in other words; verifier off: ≤ 5 % lost, 0 figures, links and secrets; 0 ended wrongly, 0 addresses lost, 0 prepared sentences behind an answer, ≤ 1.1 requests a turn, ≤ 2 after a veto; without words nothing else happens; a blind verifier is noticed";

/** Where the talks are, and who has their agents. */
interface Corpus {
  talks: Talk[];
  customer: Customer;
  agents: TalkStage["agents"];
}

interface Run extends Omit<ReplaySettings, "seed"> {
  name: string;
  corpus?: Corpus;
  isOff?: boolean;
  /** None where the run is a control. */
  bounds?: Bounds;
  talks?: Talk[];
}

export async function playNaturalTalks({ full, seed, say, progress, timeLeftMs, onEnd }: Tools) {
  const folder = process.env["SVC_CORPUS"] ?? join(ROOT, "proofs/corpus");
  const stage = await openStage();
  onEnd(() => stage.close());
  const names = await startNameServer();
  onEnd(() => names.close());
  const model = await startReplayModel(settingsOf(0, seed));
  onEnd(() => model.close());
  const wordFree = await mkdtemp(join(tmpdir(), "word-free-"));
  onEnd(() => rm(wordFree, { recursive: true }));
  await writeWordFree(folder, wordFree);
  const corpus = await applyCorpus(stage, folder);
  const withoutWords = await applyCorpus(stage, wordFree);
  const serve = async (more: Record<string, string>): Promise<string> => {
    const { url } = await stage.startServer({
      SVC_ROLE: "all",
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "replay",
      SVC_DNS_SERVERS: names.server,
      SVC_SHUTDOWN_SECS: "1",
      NODE_OPTIONS: CLOCK_OF_THE_TALK,
      ...more,
    });
    return url;
  };
  const [verifiedUrl, unverifiedUrl] = [
    await serve({}),
    await serve({ SVC_VERIFIER_MODEL: "off" }),
  ];

  async function run({
    name,
    isOff,
    talks,
    bounds,
    ...more
  }: Run): Promise<RunSums & { played: PlayedTalk[] }> {
    const { customer, agents, talks: all } = more.corpus ?? corpus;
    model.reset({ ...more, seed });
    const serverUrl = isOff === true ? unverifiedUrl : verifiedUrl;
    const startedMs = performance.now();
    const played = await playAll({ serverUrl, model, agents }, talks ?? all, (done, of) =>
      progress(done, of, `talks of ${name}`),
    );
    await readAddresses(serverUrl, customer, played);
    const sums = sumUp(played, model.strays.length);
    await reportRun(name, sums, played, model.strays, stage.database);
    const out = bounds === undefined ? [] : breachesOf(sums, bounds);
    broken.push(...out.map((one) => `${name}: ${one}`));
    const { hard, soft, hardAgain, softAgain } = sums;
    say(
      `${name}: ${sums.lost} of ${sums.trueSentences} true lost, leaked ${hard.reached} of ${hard.of} and ${soft.reached} of ${soft.of} (in other words ${hardAgain.reached} of ${hardAgain.of} and ${softAgain.reached} of ${softAgain.of}), ended wrongly ${sums.endedWrongly}, not ended ${sums.notEnded}, addresses lost ${sums.addressesLost}, behind ${sums.preparedBehind}, missing ${sums.missing}, faults ${sums.faults}, requests ${sums.requestsWithoutVeto.toFixed(2)} and at most ${sums.mostWithVeto}, first word ${sums.firstWordMs.toFixed(0)} ms, verifier ${JSON.stringify(model.verified)}, ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
    );
    for (const one of out) say(`  out of bounds: ${one}`);
    return { ...sums, played };
  }

  const broken: string[] = [];
  const { manner, verifying } = settingsOf(0.1, seed);
  const usual = await run({ name: "obedient-10", manner, verifying, bounds: VERIFIED });
  const bareMs = await firstByteMs(model, usual.played);
  const sly = await run({ name: "sly-10", manner: "sly", verifying, bounds: VERIFIED });
  const off = await run({
    name: "verifier-off",
    manner,
    verifying,
    isOff: true,
    bounds: UNVERIFIED,
  });
  const zero = await run({ ...settingsOf(0, seed), name: "obedient-0", bounds: VERIFIED });
  const free = await run({ ...settingsOf(0, seed), name: "word-free", corpus: withoutWords });
  const others = differences(zero.played, free.played);
  for (const one of others) say(`without words: ${one}`);
  const blind = await run({
    name: "blind-verifier",
    manner,
    verifying: { ...verifying, isBlind: true },
    talks: corpus.talks.slice(-8),
  });
  if (full) {
    await run({ ...settingsOf(0.25, seed), name: "obedient-25" });
    await run({ name: "stubborn-10", manner: "stubborn", verifying });
  }
  const isBlindSeen = blind.soft.reached > blind.soft.of * VERIFIED.softShare;
  say(
    `first word after ${usual.firstWordMs.toFixed(0)} ms, of a bare client ${bareMs.toFixed(0)} ms`,
  );
  say(
    timeLeftMs() > 0 ? "The reports are in proofs/.out/natural-talks." : "There was no time left.",
  );
  return {
    figure: `${usual.lost} of ${usual.trueSentences} true lost, ${usual.hard.reached + usual.soft.reached} of ${usual.hard.of + usual.soft.of} leaked; sly ${sly.lost} and ${sly.hard.reached + sly.soft.reached + sly.hardAgain.reached + sly.softAgain.reached}; verifier off ${off.lost} and ${off.hard.reached + off.soft.reached}; without words ${others.length} different; blind ${blind.soft.reached} of ${blind.soft.of}; ${broken.length} out of bounds`,
    ok: broken.length === 0 && others.length === 0 && isBlindSeen,
    size: `${corpus.talks.length} talks`,
  };
}

function settingsOf(share: number, seed: number): ReplaySettings {
  return { manner: "obedient", verifying: { wrongShare: share, lateShare: share }, seed };
}

async function applyCorpus({ database: { db } }: Stage, folder: string): Promise<Corpus> {
  const talks = readTalks(folder);
  const customer = await addCustomer(db);
  const limits = { starts_per_minute_per_address: "none", at_once_per_address: "none" } as const;
  await changeAccount(db, customer, { limits });
  const agents: Corpus["agents"] = new Map();
  for (const name of new Set(talks.map(({ agent }) => agent))) {
    const path = join(folder, "agents", name);
    const { agentId } = await applyFolder(db, customer.account.id, path);
    const yaml = await readFile(join(path, "agent.yaml"), "utf8");
    const origin = /^allowed_origins:\s*-\s*(\S+)/mu.exec(yaml)?.[1];
    agents.set(name, { agentId, origin: origin ?? "https://shop.example.com" });
  }
  return { talks, customer, agents };
}

/** The longest talks first, several at once. */
async function playAll(
  stage: TalkStage,
  talks: Talk[],
  onPlayed: (done: number, of: number) => void,
): Promise<PlayedTalk[]> {
  const limit = new ConcurrencyLimit(AT_ONCE);
  const played: PlayedTalk[] = [];
  const silent = ({ turns }: Talk): number =>
    turns.reduce((sum, { action }) => sum + (action?.silent_secs ?? 1), 0);
  const play = async (talk: Talk): Promise<void> => {
    played.push(await playTalk(stage, talk));
    onPlayed(played.length, talks.length);
  };
  const order = talks.toSorted((a, b) => silent(b) - silent(a));
  await Promise.all(order.map((talk) => limit.run(() => play(talk))));
  return played.toSorted((a, b) => a.talk.id.localeCompare(b.talk.id, "en"));
}

/** As the customer gets them. One that is not settled yet holds back those behind it. */
async function readAddresses(
  serverUrl: string,
  { token }: Customer,
  played: PlayedTalk[],
): Promise<void> {
  const left = new Map(played.map((one) => [one.sessionId, one]));
  const untilMs = performance.now() + EXPORTED_MS;
  const first = `${serverUrl}/v1/sessions.json`;
  for (let page = first; left.size > 0;) {
    const response = await fetch(page, { headers: { authorization: `Bearer ${token}` } });
    const { items } = (await response.json()) as { items: Session[] };
    for (const { id, email } of items) {
      const one = left.get(id);
      if (one !== undefined) one.address.got = email;
      left.delete(id);
    }
    const next = /<([^>]+)>; rel="next"/u.exec(response.headers.get("link") ?? "")?.[1];
    if (performance.now() > untilMs) throw new Error(`${left.size} sessions are not in the export`);
    if (items.length === 0 || next === undefined) await delay(250);
    page = items.length === 0 ? page : (next ?? first);
  }
}

/** Where two plays of the same talks went different ways. */
function differences(one: PlayedTalk[], other: PlayedTalk[]): string[] {
  return one.flatMap((talk, index) => {
    const same = other[index]!;
    const turns = talk.turns.flatMap(({ kept }, turn) =>
      kept === same.turns[turn]?.kept ? [] : [`turn ${turn}: ${kept} → ${same.turns[turn]?.kept}`],
    );
    const what = ({ ends, missing }: PlayedTalk): string => JSON.stringify({ ends, missing });
    if (what(talk) !== what(same)) turns.push(`${what(talk)} → ${what(same)}`);
    return turns.slice(0, 1).map((text) => `${talk.talk.id}, ${text}`);
  });
}

/** How long a bare client waits for the first word of the same requests. */
async function firstByteMs(model: ReplayModel, played: PlayedTalk[]): Promise<number> {
  const bodies = played.flatMap(({ lastRequest }) => lastRequest ?? []);
  const tookMs: number[] = [];
  for (const body of bodies.slice(0, 20)) {
    const startedMs = performance.now();
    const response = await fetch(`${model.baseUrl}/chat/completions`, {
      method: "POST",
      body: body.toString(),
    });
    for await (const piece of response.body ?? []) {
      if (!Buffer.from(piece).includes('"content":"')) continue;
      tookMs.push(performance.now() - startedMs);
      break;
    }
  }
  return quantile(tookMs, 0.5);
}
