import type { QualificationStatus } from "@svc/contract/types";
import type { Random } from "@svc/tools/random";

/** An agent of the made-up world, with the page that it stands on. */
export interface MadeAgent {
  id: string;
  account: number;
  slug: string;
}

export interface MadeEndpoint {
  id: string;
  account: number;
  url: string;
  /** Only sessions of this agent; undefined for all of the account. */
  agent: string | undefined;
}

/** What one generated session is. What pages must show is computed from this, and never from what is stored. */
export interface MadeSession {
  id: string;
  agent: MadeAgent;
  version: number;
  test: boolean;
  imported: boolean;
  status: "active" | "abandoned" | "processed" | "error";
  /** What an active one waits for, and until when. */
  waiting: { waitsFor: "visitor" | "conversation" | "evaluation"; until: Date } | undefined;
  at: Date;
  durationSecs: number | undefined;
  language: string;
  mode: "voice" | "text";
  page: MadePage | undefined;
  entry: "modal" | "widget" | "hero" | undefined;
  device: "desktop" | "phone" | "tablet" | undefined;
  email: string | undefined;
  name: string | undefined;
  /** The verdicts of its evaluations, the oldest first. */
  verdicts: QualificationStatus[];
  answers: Record<string, string>;
  insights: Record<string, string>;
  turns: { role: "user" | "assistant"; content: string }[];
  /** Whether the time of each turn is still known. */
  hasTimes: boolean;
  /** What was done with the model's note that it does not know the answer; undefined where it made none. */
  noted: "kept" | "refused" | undefined;
  microphone: boolean;
  answersMs: number[];
  cutsMs: number[];
  costMicros: number;
  /** The part of the cost that its evaluations are. */
  judgedMicros: number;
  unpriced: boolean;
  deliveries: MadeDelivery[];
}

export interface MadePage {
  url: string;
  /** As it must be counted: without its query, ids replaced. */
  name: string;
}

export interface MadeDelivery {
  id: number;
  endpoint: MadeEndpoint;
  state: "waiting" | "running" | "delivered" | "exhausted" | "orphaned" | "cancelled";
  at: Date;
  dueAt: Date;
  replayOf: number | undefined;
  followed: boolean;
  attempts: { outcome: string; status?: number; tookMs: number }[];
}

/** An event that pages counted so many times. */
export interface MadeView {
  agent: MadeAgent;
  day: string;
  event: "button_viewed" | "opened" | "form" | "declined";
  page: string | undefined;
  language: string | undefined;
  entry: MadeSession["entry"];
  device: MadeSession["device"];
  version: number;
  count: number;
}

export const QUESTIONS = ["team_size", "timeline", "budget"];
export const INSIGHTS = ["pain", "current_tool"];
export const LANGUAGES = ["en", "de", "ja"];
const NAMES = ["Ada Okafor", "Mateo Silva", "Yuki Tanaka", "Lena Vogel", "Sam Idowu"];
const WORDS =
  "pricing migration excel security invoice import calendar trial contract support weekly export we our the in of to and it".split(
    " ",
  );
const ANSWERS = ["about twelve", "next quarter", "=200 a month", 'a "few" hundred, maybe', "soon"];
const DAYS = 35;
const QUIET_DAYS_AGO = 4;
const DAY_MS = 86_400_000;
const ORIGIN = "https://www.example.com";
/** More than the overview has rows for, so that some are put together. */
const PAGES: MadePage[] = [
  { url: `${ORIGIN}/`, name: `${ORIGIN}/` },
  { url: `${ORIGIN}/pricing?utm=1`, name: `${ORIGIN}/pricing` },
  { url: `${ORIGIN}/users/4711?x=1`, name: `${ORIGIN}/users/…` },
  ...Array.from({ length: 24 }, (_, n) => {
    const path = `${ORIGIN}/features/${String.fromCharCode(97 + n)}-tool`;
    return { url: path, name: path };
  }),
];

/** Sessions of the last weeks, in the order of their start; about one in sixty is still going on. */
export function generateSessions(
  random: Random,
  count: number,
  agents: MadeAgent[],
  endpoints: MadeEndpoint[],
  nowMs: number,
): MadeSession[] {
  const times = new Set<number>();
  // A plot must leave room for a day on which nobody came.
  const quietDay = dayOf(new Date(nowMs - QUIET_DAYS_AGO * DAY_MS));
  while (times.size < count) {
    // A random moment, more often of late; never on a whole second, as the product's own.
    const ms = nowMs - 60_000 - Math.floor(random.next() ** 2 * DAYS * DAY_MS);
    if (ms % 1_000 !== 0 && dayOf(new Date(ms)) !== quietDay) times.add(ms);
  }
  let lastDelivery = 0;
  return [...times]
    .toSorted((a, b) => a - b)
    .map((ms) => {
      const session = generateSession(random, random.pick(agents), new Date(ms), nowMs);
      const isSent = session.status === "processed" && !session.test && !session.imported;
      const receivers = endpoints.filter(
        ({ account, agent }) =>
          account === session.agent.account && (agent ?? session.agent.id) === session.agent.id,
      );
      session.deliveries = (isSent ? receivers : []).flatMap((endpoint) => {
        const made = generateDeliveries(random, endpoint, session.at, nowMs, lastDelivery + 1);
        lastDelivery += made.length;
        return made;
      });
      return session;
    });
}

function generateSession(random: Random, agent: MadeAgent, at: Date, nowMs: number): MadeSession {
  const test = random.chance(0.03);
  const imported = !test && random.chance(0.03);
  const status = random.weighted([
    ["processed", 60],
    ["abandoned", 25],
    ["error", 4],
    ["active", imported ? 0 : 1.5],
  ] as const);
  const isJudged = status === "processed";
  const talks = status === "active" ? random.chance(0.6) : status !== "abandoned";
  const mode = random.pick(["voice", "text"] as const);
  const name = isJudged && random.chance(0.7) ? random.pick(NAMES) : undefined;
  const mailbox = (name ?? "Somebody").toLowerCase().replace(" ", ".");
  const waitsFor = random.pick(["visitor", "conversation", "evaluation"] as const);
  const minutes = random.integer(-600, 600);
  const costMicros = talks ? random.integer(1_000, 90_000) : 0;
  const some = (keys: string[]): Record<string, string> =>
    Object.fromEntries(
      keys.flatMap((key) => (random.chance(0.5) ? [[key, random.pick(ANSWERS)]] : [])),
    );
  const isTimed = talks && !imported;
  const turns = talks ? generateTurns(random) : [];
  const hasTimes = !imported && (test || status === "active" || random.chance(0.5));
  return {
    id: uuid(random),
    agent,
    version: random.integer(1, 2),
    test,
    imported,
    status,
    waiting:
      status === "active" ? { waitsFor, until: new Date(nowMs + minutes * 60_000) } : undefined,
    at,
    durationSecs: status === "active" ? undefined : random.integer(0, 4_000),
    language: random.pick(LANGUAGES),
    mode,
    page: random.chance(0.9) ? PAGES[Math.floor(random.next() ** 2 * PAGES.length)] : undefined,
    entry: random.pick(["modal", "widget", "hero", undefined] as const),
    device: random.pick(["desktop", "phone", "tablet", undefined] as const),
    email: random.chance(0.4) ? `${mailbox}.${random.integer(1, 999)}@example.com` : undefined,
    name,
    verdicts: isJudged
      ? Array.from({ length: imported ? 1 : random.integer(1, 2) }, () =>
          random.pick(["qualified", "disqualified", "not_enough_data"] as const),
        )
      : [],
    answers: isJudged ? some(QUESTIONS) : {},
    insights: isJudged ? some(INSIGHTS) : {},
    turns,
    hasTimes,
    noted:
      hasTimes && turns.length > 1
        ? random.pick(["kept", "refused", undefined] as const)
        : undefined,
    microphone: mode === "voice" && !imported && random.chance(0.8),
    answersMs: isTimed ? many(random, 4, () => random.integer(80, 14_000)) : [],
    cutsMs: isTimed && mode === "voice" ? many(random, 2, () => random.integer(20, 900)) : [],
    costMicros,
    judgedMicros: isJudged && !imported ? Math.floor(costMicros / 3) : 0,
    unpriced: talks && random.chance(0.02),
    deliveries: [],
  };
}

function generateTurns(random: Random): MadeSession["turns"] {
  return many(random, 6, (n) => ({
    role: n % 2 === 0 ? ("assistant" as const) : ("user" as const),
    content: Array.from({ length: random.integer(3, 40) }, () => random.pick(WORDS)).join(" "),
  }));
}

/** One delivery, or a failed one and the one that followed it. */
function generateDeliveries(
  random: Random,
  endpoint: MadeEndpoint,
  at: Date,
  nowMs: number,
  firstId: number,
): MadeDelivery[] {
  const state = random.weighted([
    ["delivered", 90],
    ["exhausted", 3],
    ["orphaned", 1],
    ["cancelled", 1],
    ["waiting", 2],
    ["running", 1],
  ] as const);
  const failure = { outcome: "answered", status: 503, tookMs: random.integer(5, 9_000) };
  const success = { outcome: "answered", status: 200, tookMs: random.integer(5, 900) };
  const away = { outcome: "connect_failed", tookMs: random.integer(1, 5_000) };
  const attempts = {
    delivered: random.chance(0.1) ? [failure, success] : [success],
    exhausted: [failure, away, failure],
    orphaned: [],
    cancelled: [],
    waiting: random.chance(0.5) ? [away] : [],
    running: [],
  }[state];
  const one: MadeDelivery = {
    id: firstId,
    endpoint,
    state,
    at,
    dueAt: new Date(nowMs + random.integer(-90, 90) * 60_000),
    replayOf: undefined,
    followed: state === "exhausted" && random.chance(0.4),
    attempts,
  };
  if (!one.followed) return [one];
  const again = { ...one, id: firstId + 1, replayOf: firstId, followed: false };
  return [one, { ...again, state: "delivered", attempts: [success] }];
}

/** What pages counted: each agent's days, by everything that a page tells. */
export function generateViews(random: Random, agents: MadeAgent[], nowMs: number): MadeView[] {
  const days = Array.from({ length: DAYS }, (_, n) => dayOf(new Date(nowMs - n * DAY_MS)));
  return agents.flatMap((agent) =>
    days.flatMap((day) =>
      many(random, 8, () => ({
        agent,
        day,
        event: random.weighted([
          ["button_viewed", 6],
          ["opened", 3],
          ["form", 1],
          ["declined", 1],
        ] as const),
        page: random.chance(0.9) ? random.pick(PAGES).name : undefined,
        language: random.chance(0.7) ? random.pick(LANGUAGES) : undefined,
        entry: random.pick(["modal", "widget", "hero", undefined] as const),
        device: random.pick(["desktop", "phone", "tablet", undefined] as const),
        version: random.integer(1, 2),
        count: random.integer(1, 400),
      })),
    ),
  );
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function many<T>(random: Random, most: number, make: (n: number) => T): T[] {
  return Array.from({ length: random.integer(1, most) }, (_, n) => make(n));
}

function uuid(random: Random): string {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`;
}
