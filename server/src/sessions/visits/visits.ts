import { findStartableAgent, isPreviewToken } from "#agents";
import type { StartableAgent } from "#agents";
import { transact } from "#platform";
import type { Clock, Db, JobSender } from "#platform";
import type { AgentMode, RefusalReason } from "@svc/contract/types";
import { hasShareLeft, liveOffer } from "../live/presence.ts";
import type { LiveOffer } from "../live/presence.ts";
import { admitVisit, checkLimits, startedBefore } from "./admit-visit.ts";
import type { LimitsCheck, Visitor, VisitOutcome, VisitStart } from "./admit-visit.ts";
import { OneByOne } from "./one-by-one.ts";
import type { StartChallenges } from "./start-challenges.ts";
import { dayCap, warnedAt } from "./visit-limits.ts";
import { deleteOldVisits, selectToday } from "./visit-store.ts";
import type { TestReason } from "./visit-store.ts";

const OFFER_FOR_MS = 1_000;
/** The maximum number of starts of one account that wait in this process: a few seconds' worth. */
const MAX_WAITING = 500;

export interface VisitsOptions {
  db: Db;
  jobs: JobSender;
  clock: Clock;
  /** The part of all conversations that one account may take while there are others. */
  accountShare: number;
  /** The hash of the list of those who get what visitors of the agent say. */
  recipientsOf(agent: StartableAgent): Promise<Buffer | undefined>;
  /** What starts that look like a flood have to solve; without it they are only counted. */
  challenges?: StartChallenges | undefined;
}

/** Starts visitors' sessions or says why not. Limits are exact even with several processes. */
export class Visits {
  readonly #db: Db;
  readonly #jobs: JobSender;
  readonly #clock: Clock;
  readonly #accountShare: number;
  readonly #recipientsOf: VisitsOptions["recipientsOf"];
  readonly #challenges: StartChallenges | undefined;
  readonly #starts = new OneByOne(MAX_WAITING);
  #offer: { untilMs: number; asked: Promise<LiveOffer> } | undefined;

  constructor({ db, jobs, clock, accountShare, recipientsOf, challenges }: VisitsOptions) {
    this.#db = db;
    this.#jobs = jobs;
    this.#clock = clock;
    this.#accountShare = accountShare;
    this.#recipientsOf = recipientsOf;
    this.#challenges = challenges;
  }

  /** Returns why this visitor could not start now; `null` if they could. */
  async refusal(visitor: Visitor): Promise<RefusalReason | null> {
    const agent = await findStartableAgent(this.#db, visitor.agent);
    if (agent === undefined) return "agent_unknown";
    const testReason = await this.#testReason(agent, visitor);
    return (await this.#check(agent, visitor, testReason)).refused;
  }

  /** The modes that this agent offers now, in its own order. Text only while no speech provider answers. */
  async modes({ config }: StartableAgent): Promise<AgentMode[]> {
    const { voice } = await this.#askOffer();
    return config.modes.filter((mode) => mode !== "voice" || voice);
  }

  async start(start: VisitStart): Promise<VisitOutcome> {
    const agent = await findStartableAgent(this.#db, start.agent);
    if (agent === undefined) return { refused: "agent_unknown" };
    const testReason = await this.#testReason(agent, start);
    // Also checked before the lock, so that a rush of refused starts does not delay the account's other visitors.
    const { refused, isFlood } = await this.#check(agent, start, testReason);
    // Checked after the refusals: the answer to a first attempt may have been lost, and its session counts towards the limits.
    const known = await startedBefore(this.#db, agent, start);
    if (known !== undefined) return known;
    if (!agent.config.modes.includes(start.mode)) return { invalid: "mode" };
    if (refused !== null) return { refused };
    // A session that was meant as a test must not be exported.
    if (testReason === "invalid") return { refused: "preview_invalid" };
    // Before the lock: a flood that solves nothing must not delay the account's other visitors.
    const challenge = isFlood ? await this.#challenges?.unsolved(agent.agentId, start) : undefined;
    if (challenge !== undefined) return { challenge };
    // Speech may have failed since the page asked. The visitor has clicked, so they get text instead of a refusal.
    const modes = await this.modes(agent);
    const mode = modes.includes(start.mode) ? start.mode : "text";
    const recipientsSha256 = await this.#recipientsOf(agent);
    return this.#starts.run(agent.accountId, () =>
      transact(this.#db, (trx) =>
        admitVisit(
          trx,
          this.#jobs,
          agent,
          { ...start, mode, recipientsSha256, latestMs: this.#clock.latestMs?.() },
          testReason,
        ),
      ),
    );
  }

  async #check(
    agent: StartableAgent,
    visitor: Visitor & Pick<VisitStart, "withoutCall">,
    testReason: TestReason | "invalid" | null,
  ): Promise<LimitsCheck> {
    const reason = await this.#refusalBeforeLimits(agent, visitor, testReason);
    const refused = visitor.withoutCall === true && reason === "at_capacity" ? null : reason;
    if (refused !== null || testReason === "invalid") return { refused, isFlood: false };
    return checkLimits(this.#db, agent, visitor, testReason);
  }

  async #refusalBeforeLimits(
    agent: StartableAgent,
    visitor: Visitor,
    testReason: TestReason | "invalid" | null,
  ): Promise<RefusalReason | null> {
    if (testReason === "invalid") return "preview_invalid";
    // An owner tries out a paused agent before visitors meet it again, and on any page.
    const isPreview = testReason === "preview_token";
    if (!isPreview && agent.state === "paused") return "agent_paused";
    if (!isPreview && !mayStart(agent, visitor.origin)) return "origin_not_allowed";
    const offer = await this.#askOffer();
    const { places } = offer;
    const modes = await this.modes(agent);
    if (places === "none" || modes.length === 0) return "service_unavailable";
    if (places === "full") return "at_capacity";
    const hasShare = await hasShareLeft(this.#db, agent.accountId, this.#accountShare, offer);
    return hasShare ? null : "at_capacity";
  }

  async #testReason(
    agent: StartableAgent,
    { origin, previewToken }: Visitor,
  ): Promise<TestReason | "invalid" | null> {
    if (previewToken !== undefined) {
      const holds = await isPreviewToken(this.#db, agent.agentId, previewToken);
      return holds ? "preview_token" : "invalid";
    }
    return origin !== null && agent.config.testOrigins.includes(origin) ? "test_origin" : null;
  }

  /** Cached for a second. Live processes refuse by themselves what exceeds their capacity. */
  #askOffer(): Promise<LiveOffer> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#offer === undefined || this.#offer.untilMs <= nowMs) {
      const asked = liveOffer(this.#db);
      this.#offer = { untilMs: nowMs + OFFER_FOR_MS, asked };
      asked.catch(() => (this.#offer = undefined));
    }
    return this.#offer.asked;
  }
}

/** When no origins are listed, any page may start the agent, even one that sends no origin. */
function mayStart(
  { config: { allowedOrigins, testOrigins } }: StartableAgent,
  origin: string | null,
): boolean {
  if (allowedOrigins.length === 0) return true;
  return origin !== null && (allowedOrigins.includes(origin) || testOrigins.includes(origin));
}

/** An agent that is near its cap of starts for today, or has reached it. */
export interface NearDayCap {
  slug: string;
  account: string;
  starts: number;
  cap: number;
}

export async function agentsNearDayCap(db: Db): Promise<NearDayCap[]> {
  const near: NearDayCap[] = [];
  for (const { agentId, ...today } of await selectToday(db)) {
    const agent = await findStartableAgent(db, agentId);
    const cap = agent === undefined ? Infinity : dayCap(agent);
    if (today.starts >= warnedAt(cap)) near.push({ ...today, cap });
  }
  return near;
}

const KEPT_HOURS = 24;
const FORGOTTEN_AT_ONCE = 5_000;

/** Deletes the visits of the day before, including IP addresses. Returns how many there were. */
export async function forgetVisits(db: Db): Promise<number> {
  let forgotten = 0;
  for (let more = true; more;) {
    const deleted = await deleteOldVisits(db, KEPT_HOURS, FORGOTTEN_AT_ONCE);
    forgotten += deleted;
    more = deleted === FORGOTTEN_AT_ONCE;
  }
  return forgotten;
}
