import { findStartableAgent, isPreviewToken } from "#agents";
import type { StartableAgent } from "#agents";
import { transact } from "#platform";
import type { Clock, Db, JobSender } from "#platform";
import type { AgentMode, RefusalReason } from "@svc/contract/types";
import { liveOffer } from "../live/presence.ts";
import type { LiveOffer } from "../live/presence.ts";
import { admitVisit, limitBroken, startedBefore } from "./admit-visit.ts";
import type { Visitor, VisitOutcome, VisitStart } from "./admit-visit.ts";
import { OneByOne } from "./one-by-one.ts";
import { deleteOldVisits } from "./visit-store.ts";
import type { TestReason } from "./visit-store.ts";

const OFFER_FOR_MS = 1_000;
/** Starts of one account that wait in this process: some seconds' worth. */
const MOST_WAITING = 500;

/** Lets visitors in, or tells why not. Limits hold exactly, however many processes let in at once. */
export class Visits {
  readonly #db: Db;
  readonly #jobs: JobSender;
  readonly #clock: Clock;
  readonly #starts = new OneByOne(MOST_WAITING);
  #offer: { untilMs: number; asked: Promise<LiveOffer> } | undefined;

  constructor({ db, jobs, clock }: { db: Db; jobs: JobSender; clock: Clock }) {
    this.#db = db;
    this.#jobs = jobs;
    this.#clock = clock;
  }

  /** Why this visitor could not start now; `null` when they could. */
  async refusal(visitor: Visitor): Promise<RefusalReason | null> {
    const agent = await findStartableAgent(this.#db, visitor.agent);
    return agent === undefined ? "agent_unknown" : this.#refusalBy(agent, visitor, false);
  }

  /** How visitors can talk with this agent now, in its own order. Without speech, by text alone. */
  async modes({ config }: StartableAgent): Promise<AgentMode[]> {
    const { voice } = await this.#askOffer();
    return config.modes.filter((mode) => mode !== "voice" || voice);
  }

  async start(start: VisitStart): Promise<VisitOutcome> {
    const agent = await findStartableAgent(this.#db, start.agent);
    if (agent === undefined) return { refused: "agent_unknown" };
    const testReason = await this.#testReason(agent, start);
    // Before the lock too: a rush that is refused must not hold up the account's other visitors.
    const refused = await this.#refusalBy(agent, start, testReason === "preview_token");
    // After what may refuse: the answer to the first try may have been lost, and its session was counted.
    const known = await startedBefore(this.#db, agent, start);
    if (known !== undefined) return known;
    if (!agent.config.modes.includes(start.mode)) return { invalid: "mode" };
    // A session that was meant as a test must not become one that is exported.
    if (testReason === "invalid") return { invalid: "preview_token" };
    if (refused !== null) return { refused };
    // Speech may have gone since the page asked. The visitor has clicked: they are not turned away for it.
    const modes = await this.modes(agent);
    const mode = modes.includes(start.mode) ? start.mode : "text";
    return this.#starts.run(agent.accountId, () =>
      transact(this.#db, (trx) =>
        admitVisit(trx, this.#jobs, agent, { ...start, mode }, testReason),
      ),
    );
  }

  async #refusalBy(
    agent: StartableAgent,
    visitor: Visitor,
    fromAnyPage: boolean,
  ): Promise<RefusalReason | null> {
    if (agent.state === "paused") return "agent_paused";
    if (!fromAnyPage && !mayStart(agent, visitor.origin)) return "origin_not_allowed";
    const { places } = await this.#askOffer();
    const modes = await this.modes(agent);
    if (places === "none" || modes.length === 0) return "service_unavailable";
    if (places === "full") return "at_capacity";
    return limitBroken(this.#db, agent, visitor);
  }

  async #testReason(
    agent: StartableAgent,
    { origin, previewToken }: VisitStart,
  ): Promise<TestReason | "invalid" | null> {
    if (previewToken !== undefined) {
      const holds = await isPreviewToken(this.#db, agent.agentId, previewToken);
      return holds ? "preview_token" : "invalid";
    }
    return origin !== null && agent.config.testOrigins.includes(origin) ? "test_origin" : null;
  }

  /** The same for all who ask within a second; the processes refuse by themselves what is too much. */
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

/** None listed: any page, also one whose origin is not known. */
function mayStart(
  { config: { allowedOrigins, testOrigins } }: StartableAgent,
  origin: string | null,
): boolean {
  if (allowedOrigins.length === 0) return true;
  return origin !== null && (allowedOrigins.includes(origin) || testOrigins.includes(origin));
}

const KEPT_HOURS = 24;
const FORGOTTEN_AT_ONCE = 5_000;

/** Forgets how visits of the day before began, addresses among them. Returns how many there were. */
export async function forgetVisits(db: Db): Promise<number> {
  let forgotten = 0;
  for (let more = true; more;) {
    const deleted = await deleteOldVisits(db, KEPT_HOURS, FORGOTTEN_AT_ONCE);
    forgotten += deleted;
    more = deleted === FORGOTTEN_AT_ONCE;
  }
  return forgotten;
}
