import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import { addCustomer, changeAccount, NO_START_LIMITS } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import type { Claim, Tools } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import type { Stage } from "../stage/stage.ts";
import { Visitor } from "../talk/visitor.ts";

const SERVED = 0.99;
/** So many that a request waits longer for the provider than it may, if all wait in one line. */
const CAPACITY = 40;
/** More visitors of the flooding account than there are places. */
const FLOODERS = 50;
/** Visitors of the other account, fewer than the flooding one must leave places for. */
const QUIET = 3;
const AGAIN_MS = 4_000;
/** A flood that is not refused by then is none. */
const FLOODED_WITHIN_MS = 20_000;
/** What the provider takes: far less than the flooding account asks for. */
const PROVIDER = { atOnce: 4, delayMs: 2_000 };
const LINES = ["What is it good for?", "How do I add it to my page?", "What does it cost?"];
/** What an agent says when no model has answered. */
const APOLOGIES = /lost my thread|can't go on/;

export const tenantsShareFairly: Claim<undefined> = {
  promise:
    "While one account floods starts and model requests, another account's visitors start and are answered",
  bound: `≥ ${100 * SERVED} % of its starts and of its answers served; without a share, of neither`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async (tools) => {
    const { say, onEnd, sized } = tools;
    const forMs = sized({ quick: 25_000, full: 180_000 });
    const stage = await openStage();
    onEnd(() => stage.close());
    // At the same time, each on a database of its own: servers take longer to start than this takes.
    const [unshared, shared] = await Promise.all([
      serve(tools, stage, { SVC_ACCOUNT_SHARE: "1" }, forMs),
      serve(tools, stage, {}, forMs),
    ]);
    say(`control: without a share ${told(unshared)}`);
    say(`with it ${told(shared)}`);
    for (const reason of [...shared.starts.reasons, ...shared.answers.reasons]) say(reason);
    const isControlled = !isServed(unshared.starts) && !isServed(unshared.answers);
    return {
      figure: `${told(shared)}; without a share ${told(unshared)}`,
      ok: isControlled && isServed(shared.starts) && isServed(shared.answers),
      size: `${shared.answers.asked} answers beside ${FLOODERS} visitors of another account`,
    };
  },
};

interface Count {
  asked: number;
  served: number;
  /** Why the others were not. */
  reasons: Set<string>;
}

interface Served {
  starts: Count;
  answers: Count;
}

const newCount = (): Count => ({ asked: 0, served: 0, reasons: new Set() });

function isServed({ asked, served }: Count): boolean {
  return asked > 0 && served >= SERVED * asked;
}

function told({ starts, answers }: Served): string {
  return `${starts.served} of ${starts.asked} starts and ${answers.served} of ${answers.asked} answers`;
}

/** What a quiet account is served beside one that floods. */
async function serve(
  { seed }: Tools,
  stage: Stage,
  share: Record<string, string>,
  forMs: number,
): Promise<Served> {
  const database = await stage.cloneDatabase();
  const [flooding, quiet] = [await addUnlimited(database), await addUnlimited(database)];
  const model = await startLanguageModel(PROVIDER);
  const environment = {
    SVC_ROLE: "all",
    SVC_MODEL_URL: model.baseUrl,
    SVC_CONVERSATION_MODEL: "rehearsal",
    SVC_VERIFIER_MODEL: "off",
    // Providers limit each model apart: evaluations take nothing from conversations.
    SVC_EVALUATION_MODEL: "rehearsal-judge",
    SVC_LIVE_CAPACITY: String(CAPACITY),
    SVC_TRUSTED_PROXIES: "127.0.0.1",
    SVC_SHUTDOWN_SECS: "1",
  };
  const server = await stage.startServer({ ...environment, ...share }, database);
  const visitors = new Set<Visitor>();
  const counts: Served = { starts: newCount(), answers: newCount() };
  const full = Promise.withResolvers<void>();
  const over = new AbortController();

  async function enter({ agent: { agentId } }: Customer, number: number): Promise<Visitor> {
    // Each visitor has a network of their own: limits of addresses are not what is measured.
    const address = `23.${seed % 200}.${number}.7`;
    const visitor = await Visitor.enter(server.url, { agentId, language: "en", address });
    if (over.signal.aborted) visitor.leave();
    visitors.add(visitor);
    return visitor;
  }
  /** Undefined where it was not served. What the end cuts short does not count. */
  async function counted<One>(count: Count, work: () => Promise<One>): Promise<One | undefined> {
    const [done] = await Promise.allSettled([work()]);
    if (over.signal.aborted) return undefined;
    count.asked += 1;
    if (done.status === "fulfilled") count.served += 1;
    else count.reasons.add(done.reason instanceof Error ? done.reason.message : "unknown");
    return done.status === "fulfilled" ? done.value : undefined;
  }
  async function typeOn(visitor: Visitor): Promise<void> {
    for (let line = 0; !visitor.hasClosed; line += 1) {
      if (visitor.screen.hasEnded) visitor.leave();
      await visitor.say(LINES[line % LINES.length]!).catch(() => {});
    }
  }
  /** Comes again and again, and types as soon as it is answered. */
  async function flood(number: number): Promise<void> {
    while (!over.signal.aborted) {
      const visitor = await enter(flooding, number).catch(() => full.resolve());
      if (visitor) await typeOn(visitor);
      await delay(AGAIN_MS);
    }
  }
  /** Has one short talk after the other. A line that is not answered ends one. */
  async function talk(number: number, first?: Visitor): Promise<void> {
    let visitor = first;
    while (!over.signal.aborted) {
      visitor ??= await counted(counts.starts, () => enter(quiet, number));
      if (visitor === undefined) await delay(AGAIN_MS);
      else {
        await askAll(visitor);
        await visitor.end().catch(() => {});
        visitor.leave();
      }
      visitor = undefined;
    }
  }
  async function askAll(visitor: Visitor): Promise<void> {
    for (const line of [undefined, ...LINES]) {
      const answer = await counted(counts.answers, async () => {
        await (line === undefined ? visitor.listen() : visitor.say(line));
        const { text } = visitor.screen.turns("assistant").at(-1)!;
        if (APOLOGIES.test(text)) throw new Error(text);
        return text;
      });
      if (answer === undefined) return;
    }
  }

  // Calls of two of them stand before the flood, so that answers are counted where no start is served.
  const early = await Promise.all([enter(quiet, 1), enter(quiet, 2)]);
  const all = Array.from({ length: FLOODERS }, (_, index) => flood(100 + index));
  // The flood has every place that it can get once one of it is refused.
  await Promise.race([full.promise, delay(FLOODED_WITHIN_MS)]);
  for (let number = 1; number <= QUIET; number += 1) all.push(talk(number, early[number - 1]));
  await delay(forMs);
  over.abort();
  for (const visitor of visitors) visitor.leave();
  await Promise.all(all);
  await server.stop();
  await model.close();
  return counts;
}

/** Nothing but the share stands between the accounts. */
async function addUnlimited({ db }: TestDatabase): Promise<Customer> {
  const customer = await addCustomer(db);
  await changeAccount(db, customer, { limits: NO_START_LIMITS });
  return customer;
}
