import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ReplayModel, startNameServer, writeWordFree } from "@svc/rehearsal";
import type { ReplaySettings, Talk } from "@svc/rehearsal";
import type { Customer } from "@svc/server/testing";
import type { Session } from "@svc/contract/types";
import { quantile } from "../../runner/figures.ts";
import type { Tools } from "../../runner/proof.ts";
import { ROOT } from "../../runner/claims.ts";
import { ConcurrencyLimit } from "../../stage/concurrency-limit.ts";
import { openStage } from "../../stage/stage.ts";
import { applyCorpus } from "./apply-corpus.ts";
import type { Corpus } from "./apply-corpus.ts";
import { playTalk } from "./play-talk.ts";
import type { PlayedTalk, TalkStage } from "./play-talk.ts";
import { reportRun } from "./report-run.ts";
import { breachesOf, sumUp } from "./sum-up.ts";
import type { Bounds, RunSums } from "./sum-up.ts";
import { CLOCK_OF_THE_TALK } from "./play-talk.ts";

const AT_ONCE = 12;
const EXPORTED_MS = 60_000;
const VERIFIED: Bounds = { lostShare: 0.02, lostPerLanguage: 3, hardShare: 0.02, softShare: 0.25 };
/** What rules alone cannot know is in the decision record about who leads. */
const UNVERIFIED: Bounds = {
  lostShare: 0.05,
  lostPerLanguage: Infinity,
  hardShare: 0.6,
  softShare: 1,
};

export const BOUND =
  "verifier 10 % wrong, 10 % late: ≤ 2 % of what is true lost, ≤ 2 % of invented figures, links and secrets and ≤ 25 % of other inventions heard, also when said again in other words; verifier off: ≤ 5 % lost, ≤ 60 % of invented figures, links and secrets heard; 0 ended wrongly, 0 addresses lost, 0 prepared sentences behind an answer, ≤ 1.1 requests a turn, ≤ 2 after a veto; without words nothing else happens; a blind verifier is noticed";

interface Run extends Omit<ReplaySettings, "seed"> {
  name: string;
  corpus?: Corpus;
  isOff?: boolean;
  /** None where the run is a control. */
  bounds?: Bounds;
  talks?: Talk[];
}

export async function playNaturalTalks({ full, seed, say, progress, onEnd }: Tools) {
  const folder = process.env["SVC_CORPUS"] ?? join(ROOT, "proofs/corpus");
  const stage = await openStage();
  onEnd(() => stage.close());
  const names = await startNameServer();
  onEnd(() => names.close());
  const model = await ReplayModel.start(settingsOf(0, seed));
  onEnd(() => model.close());
  const wordFree = await mkdtemp(join(tmpdir(), "word-free-"));
  onEnd(() => rm(wordFree, { recursive: true }));
  await writeWordFree(folder, wordFree);
  const corpus = await applyCorpus(stage, folder);
  const withoutWords = await applyCorpus(stage, wordFree);
  const serve = async (more: Record<string, string>): Promise<string> => {
    const { url, log } = await stage.startServer({
      SVC_ROLE: "all",
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "replay",
      SVC_DNS_SERVERS: names.server,
      SVC_SHUTDOWN_SECS: "1",
      NODE_OPTIONS: CLOCK_OF_THE_TALK,
      ...more,
    });
    onEnd(() =>
      log.filter((line) => Number(line["level"]) >= 50).map((line) => say(JSON.stringify(line))),
    );
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
    broken.push(...out);
    const tookSecs = ((performance.now() - startedMs) / 1_000).toFixed(0);
    say(`${name}, ${tookSecs} s: ${JSON.stringify({ ...sums, verifier: model.verified })}`);
    for (const one of out) say(`  out of bounds: ${one}`);
    return { ...sums, played };
  }

  const broken: string[] = [];
  const { manner, verifying } = settingsOf(0.1, seed);
  const usual = await run({ name: "obedient-10", manner, verifying, bounds: VERIFIED });
  const bareMs = await firstByteMs(model, usual.played);
  // It leaves out what was held by mistake, so that a few more true sentences are lost.
  const slyBounds = { ...VERIFIED, lostPerLanguage: Infinity };
  const sly = await run({ name: "sly-10", manner: "sly", verifying, bounds: slyBounds });
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
  const isBlindSeen = blind.soft.count > blind.soft.of * VERIFIED.softShare;
  say(`first word: ${usual.firstWordMs.toFixed(0)} ms, of a bare client ${bareMs.toFixed(0)} ms`);
  const told = ({ lost, hard, soft, hardAgain, softAgain }: RunSums): string =>
    `${lost.count} of ${lost.of} true lost, ${hard.count + hardAgain.count} of ${hard.of + hardAgain.of} and ${soft.count + softAgain.count} of ${soft.of + softAgain.of} invented heard`;
  return {
    figure: `${told(usual)}; sly ${told(sly)}; verifier off ${told(off)}; ${broken.length} out of bounds, ${others.length} other without words, a blind verifier lets ${blind.soft.count} of ${blind.soft.of} pass`,
    ok: broken.length === 0 && others.length === 0 && isBlindSeen,
    size: `${corpus.talks.length} talks`,
  };
}

function settingsOf(share: number, seed: number): ReplaySettings {
  return { manner: "obedient", verifying: { wrongShare: share, lateShare: share }, seed };
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

/** As the customer gets them. A session that is not settled yet holds back those behind it. */
async function readAddresses(
  serverUrl: string,
  { token }: Customer,
  played: PlayedTalk[],
): Promise<void> {
  const left = new Map(played.map((one) => [one.sessionId, one]));
  const untilMs = performance.now() + EXPORTED_MS;
  for (let page = `${serverUrl}/v1/sessions.json`; left.size > 0;) {
    const response = await fetch(page, { headers: { authorization: `Bearer ${token}` } });
    const { items } = (await response.json()) as { items: Session[] };
    for (const { id, email } of items) {
      const { talk, notes } = left.get(id) ?? {};
      left.delete(id);
      const wanted = talk?.turns.findLast(({ action }) => action?.confirm_email)?.action
        ?.confirm_email;
      if (wanted === undefined || wanted.toLowerCase() === email) continue;
      notes?.push({
        turn: talk!.turns.length - 1,
        what: "address lost",
        text: `${wanted}, kept ${email}`,
      });
    }
    if (performance.now() > untilMs) throw new Error(`${left.size} sessions are not in the export`);
    page = /<([^>]+)>; rel="next"/u.exec(response.headers.get("link") ?? "")?.[1] ?? page;
    if (items.length === 0) await delay(250);
  }
}

/** Where two plays of the same talks went different ways: the first place of each. */
function differences(one: PlayedTalk[], other: PlayedTalk[]): string[] {
  return one.flatMap((talk, index) => {
    const [was, is] = [pathOf(talk), pathOf(other[index]!)];
    const at = was.findIndex((text, place) => text !== is[place]);
    return at === -1 ? [] : [`${talk.talk.id}, turn ${at}: ${was[at]} → ${is[at]}`];
  });
}

/** What the server was brought to do, turn by turn, and how it ended. */
function pathOf({ turns, notes }: PlayedTalk): string[] {
  const ends = notes.filter(({ what }) => /ended|missing/u.test(what));
  return [...turns.map(({ kept }) => kept), JSON.stringify(ends)];
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
