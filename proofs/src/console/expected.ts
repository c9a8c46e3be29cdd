import type { ConsoleFigures, FoundSession, TimeSpread } from "@svc/contract/types";
import { dayOf } from "./generate-sessions.ts";
import type {
  MadeAgent,
  MadeDelivery,
  MadeEndpoint,
  MadeSession,
  MadeView,
} from "./generate-sessions.ts";

/** Everything that was generated, or the part of it that somebody sees. */
export interface MadeWorld {
  accounts: { clientId: string; name: string; isHeld: boolean }[];
  agents: MadeAgent[];
  endpoints: MadeEndpoint[];
  sessions: MadeSession[];
  views: MadeView[];
}

/** The part of the world that belongs to one account. */
export function ofAccount(world: MadeWorld, account: number | undefined): MadeWorld {
  if (account === undefined) return world;
  return {
    accounts: world.accounts,
    agents: world.agents.filter((one) => one.account === account),
    endpoints: world.endpoints.filter((one) => one.account === account),
    sessions: world.sessions.filter(({ agent }) => agent.account === account),
    views: world.views.filter(({ agent }) => agent.account === account),
  };
}

export const BY = ["day", "agent", "version", "page", "language", "entry", "device"] as const;
export type By = (typeof BY)[number];
export type Counts = Record<string, number>;

/** The steps of the funnel since a day, in all or by each value of a dimension; "" is not known. */
export function funnelOf(
  { sessions, views }: MadeWorld,
  since: string,
  by?: By,
): Map<string, Counts> {
  const visited = sessions.filter((one) => !one.test && !one.imported && dayOf(one.at) >= since);
  const seen = views.filter(({ day, event }) => day >= since && event !== "declined");
  const found = new Map<string, Counts>();
  const count = (value: string, step: string, times: number): void => {
    const counts = found.get(value) ?? {};
    found.set(value, { ...counts, [step]: (counts[step] ?? 0) + times });
  };
  for (const view of seen) count(valueOf(view, view.day, by), view.event, view.count);
  for (const session of visited) {
    for (const step of stepsOf(session)) count(valueOf(session, dayOf(session.at), by), step, 1);
  }
  return found;
}

function valueOf(of: MadeSession | MadeView, day: string, by: By | undefined): string {
  if (by === undefined) return "";
  if (by === "day") return day;
  if (by === "agent") return of.agent.id;
  if (by === "page") return (typeof of.page === "string" ? of.page : of.page?.name) ?? "";
  return String(of[by] ?? "");
}

function stepsOf(session: MadeSession): string[] {
  const { status, microphone, email, turns } = session;
  const talked =
    status === "active" ? turns.some(({ role }) => role === "user") : status !== "abandoned";
  const isQualified = isLead(session);
  return [
    "started",
    ...(microphone ? ["microphone"] : []),
    ...(talked ? ["talked"] : []),
    ...(talked && email !== undefined ? ["email_given"] : []),
    ...(status === "processed" ? ["evaluated"] : []),
    ...(isQualified ? ["qualified"] : []),
    ...(isQualified && arrivalOf(session) === "delivered" ? ["delivered"] : []),
  ];
}

function isLead({ verdicts }: MadeSession): boolean {
  return verdicts.at(-1) === "qualified";
}

export function declinedOf({ views }: MadeWorld, since: string): number {
  const declined = views.filter(({ day, event }) => event === "declined" && day >= since);
  return declined.reduce((sum, { count }) => sum + count, 0);
}

/** What counts is what no later delivery has replaced; the worst of it. */
export function arrivalOf({ deliveries }: MadeSession): FoundSession["delivery"] {
  const states = deliveries
    .filter(({ followed, state }) => !followed && state !== "cancelled")
    .map(({ state }) => state);
  if (states.length === 0) return undefined;
  if (states.includes("exhausted") || states.includes("orphaned")) return "failed";
  return states.every((state) => state === "delivered") ? "delivered" : "under_way";
}

export type Figures = ConsoleFigures["total"];

/** The figures of sessions since a day, in all (under "") or by day or agent. */
export function figuresOf(
  world: MadeWorld,
  since: string,
  by?: "day" | "agent",
): Map<string, Figures> {
  const chosen = world.sessions.filter(({ at }) => dayOf(at) >= since);
  // Of a test that goes on there is nothing to count yet.
  const counted = chosen.filter((one) => one.status !== "active" || !one.test);
  const groups = Map.groupBy(counted, (one) => valueOf(one, dayOf(one.at), by));
  return new Map(
    Array.from(groups, ([value, all]): [string, Figures] => {
      const visitors = all.filter((one) => !one.test && !one.imported);
      const settled = all.filter(({ status }) => status !== "active");
      const timed = visitors.filter(({ status }) => status !== "active");
      const answers = spreadOf(timed.flatMap(({ answersMs }) => answersMs));
      const interruptions = spreadOf(timed.flatMap(({ cutsMs }) => cutsMs));
      const of = (step: string): number =>
        visitors.filter((one) => stepsOf(one).includes(step)).length;
      return [
        value,
        {
          started: visitors.length,
          qualified: of("qualified"),
          delivered: of("delivered"),
          failed: visitors.filter(({ status }) => status === "error").length,
          unanswered: timed.filter(({ noted }) => noted === "kept").length,
          cost_micros: settled.reduce((sum, { costMicros }) => sum + costMicros, 0),
          cost_is_partial: settled.some(({ unpriced }) => unpriced),
          ...(answers && { answers }),
          ...(interruptions && { interruptions }),
        },
      ];
    }),
  );
}

/** Half and 95 of 100 of the times themselves, then as exact as the guide says. */
function spreadOf(times: number[]): TimeSpread | undefined {
  if (times.length === 0) return undefined;
  const sorted = times.toSorted((a, b) => a - b);
  const within = (share: number): number => {
    const ms = sorted[Math.ceil(share * sorted.length) - 1]!;
    const step = ms < 1_000 ? 20 : ms < 10_000 ? 100 : 1_000;
    return Math.round(ms / step) * step;
  };
  return { count: times.length, p50_ms: within(0.5), p95_ms: within(0.95) };
}

/** What is looked for on the page of sessions. */
export interface Search {
  account?: string;
  agent?: string;
  status?: string;
  qualification?: string;
  language?: string;
  entry?: string;
  device?: string;
  answered?: string;
  insight?: string;
  delivery?: string;
  text?: string;
  since?: string;
  test?: string;
}

/** The sessions that fit, the newest first. */
export function foundOf({ sessions, accounts }: MadeWorld, search: Search): MadeSession[] {
  const { answered, insight, text, since } = search;
  const fits = (one: MadeSession): boolean =>
    one.test === (search.test === "true") &&
    is(search.account, accounts[one.agent.account]!.clientId) &&
    is(search.agent, one.agent.id) &&
    is(search.status, one.status) &&
    is(search.qualification, one.verdicts.at(-1)) &&
    is(search.language, one.language) &&
    is(search.entry, one.entry) &&
    is(search.device, one.device) &&
    is(search.delivery, arrivalOf(one)) &&
    (answered === undefined || answered in one.answers) &&
    (insight === undefined || insight in one.insights) &&
    (since === undefined || one.at.toISOString() >= since) &&
    (text === undefined || (one.status !== "active" && hears(one, text)));
  return sessions
    .filter(fits)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1));
}

const is = (wanted: string | undefined, value: string | undefined): boolean =>
  wanted === undefined || wanted === value;

/** Every word of the text, or what begins with it from four letters on, is one that was heard, of the name or of the address. */
function hears({ test, turns, name = "", email = "" }: MadeSession, text: string): boolean {
  const said = test ? [] : turns.map(({ content }) => content);
  const heard = wordsOf([name, email, ...said].join(" "));
  return wordsOf(text).every((wanted) =>
    heard.some((word) => (wanted.length < 4 ? word === wanted : word.startsWith(wanted))),
  );
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

/** A row of the list; what was heard is left to compare by itself. */
export function rowOf({ accounts }: MadeWorld, one: MadeSession): Omit<FoundSession, "heard"> {
  const { clientId, name: accountName } = accounts[one.agent.account]!;
  const isEnded = one.status !== "active" || one.waiting?.waitsFor === "evaluation";
  const endedAt = new Date(one.at.getTime() + (one.durationSecs ?? 0) * 1_000).toISOString();
  const verdict = one.verdicts.at(-1);
  const delivery = arrivalOf(one);
  return {
    id: one.id,
    client_id: clientId,
    account_name: accountName,
    agent_id: one.agent.id,
    agent_slug: one.agent.slug,
    agent_version: one.version,
    status: one.status,
    test: one.test,
    created_at: one.at.toISOString(),
    ...(isEnded && {
      ended_at: endedAt,
      end_reason: one.imported ? "imported" : "visitor_ended",
    }),
    ...(one.status !== "active" && { settled_at: endedAt, duration_secs: one.durationSecs! }),
    ...(one.email !== undefined && { email: one.email }),
    ...(one.name !== undefined && { customer_name: one.name }),
    language: one.language,
    mode: one.mode,
    ...(verdict !== undefined && { qualification: verdict }),
    answers: one.answers,
    insights: one.insights,
    ...(delivery !== undefined && { delivery }),
  };
}

export function deliveriesOf(
  { sessions }: MadeWorld,
  choose: { endpoint?: string; state?: string; session?: string } = {},
): { session: MadeSession; delivery: MadeDelivery }[] {
  const { endpoint, state, session: id } = choose;
  return sessions
    .filter((session) => is(id, session.id))
    .flatMap((session) => session.deliveries.map((delivery) => ({ session, delivery })))
    .filter(({ delivery }) => is(endpoint, delivery.endpoint.id) && is(state, delivery.state))
    .toSorted((a, b) => b.delivery.id - a.delivery.id);
}

export interface Health {
  waiting: number;
  running: number;
  failed: number;
  oldest_due_at?: string;
  last_finished: number;
  last_delivered: number;
}

export function healthOf(world: MadeWorld, endpoint: string, nowMs: number): Health {
  const all = deliveriesOf(world, { endpoint }).map(({ delivery }) => delivery);
  const waiting = all.filter(({ state }) => state === "waiting");
  const due = waiting.map(({ dueAt }) => dueAt.getTime()).filter((ms) => ms <= nowMs);
  const ends = ["delivered", "exhausted", "orphaned"];
  const last = all.filter(({ state }) => ends.includes(state)).slice(0, 100);
  return {
    waiting: waiting.length,
    running: all.filter(({ state }) => state === "running").length,
    failed: all.filter(
      ({ state, followed }) => (state === "exhausted" || state === "orphaned") && !followed,
    ).length,
    ...(due.length > 0 && { oldest_due_at: new Date(Math.min(...due)).toISOString() }),
    last_finished: last.length,
    last_delivered: last.filter(({ state }) => state === "delivered").length,
  };
}

/** The oldest session that goes on, and how many settled ones wait behind it; of accounts that wait for it. */
export function edgeOf(
  { accounts, sessions }: MadeWorld,
  account: number,
): { session: MadeSession; held: number } | undefined {
  if (!accounts[account]!.isHeld) return undefined;
  const real = sessions
    .filter((one) => one.agent.account === account && !one.test)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const first = real.findIndex(({ status }) => status === "active");
  if (first < 0) return undefined;
  const held = real.slice(first).filter(({ status }) => status !== "active").length;
  return { session: real[first]!, held };
}
