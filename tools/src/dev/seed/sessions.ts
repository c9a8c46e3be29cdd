import type { Metadata, Session, TranscriptEntry } from "@svc/contract/types";
import { Random } from "../../random.ts";
import { play } from "./conversation.ts";
import type { Plot, Remark } from "./conversation.ts";
import { evaluate, summarize } from "./evaluate.ts";
import { keysOf, PHRASES, RECORD } from "./phrases.ts";
import type { Person, Phrases } from "./phrases.ts";

const LANGUAGE_SHARES = [
  ["en", 45],
  ["de", 25],
  ["fr", 15],
  ["es", 15],
] as const;
const STATUS_SHARES = [
  ["processed", 80],
  ["abandoned", 14],
  ["error", 6],
] as const;

const TIMELINE_SHARES = [
  ["this_month", 3],
  ["this_quarter", 4],
  ["next_year", 1],
  ["looking_around", 2],
] as const;

/** Sessions as a real site would have them after a month: made up, but each record fits what was said. */
export function believableSessions(options: {
  agentId: string;
  count: number;
  now: Date;
  seed?: number;
}): Session[] {
  const random = new Random(options.seed ?? 1);
  return startTimes(random, options.count, options.now).map((startedAt) =>
    session(random, options.agentId, startedAt),
  );
}

/** A session as it is before anybody has judged it. */
export type Talk = Omit<Session, "status" | "summary" | "evaluation">;

const TALK_EVERY_MS = 5 * 60_000;

/** Talks of the last hour, for the pipeline to evaluate. */
export function unevaluatedTalks(options: {
  agentId: string;
  count: number;
  now: Date;
  seed?: number;
}): Talk[] {
  const random = new Random(options.seed ?? 7);
  const talks: Talk[] = [];
  while (talks.length < options.count) {
    const agoMs = (options.count - talks.length) * TALK_EVERY_MS + random.integer(1, 60_000);
    const startedAt = new Date(options.now.getTime() - agoMs);
    const made = session(random, options.agentId, startedAt);
    const { status, summary: _, evaluation: __, ...talk } = made;
    if (status !== "abandoned") talks.push(talk);
  }
  return talks;
}

function session(random: Random, agentId: string, startedAt: Date): Session {
  const language = random.weighted(LANGUAGE_SHARES);
  const status = random.weighted(STATUS_SHARES);
  const phrases = PHRASES[language];
  const plot = makePlot(random, phrases);
  // Abandoned is who said nothing; the greeting may still have been heard.
  const conversation = status === "abandoned" ? undefined : play(plot, language);
  const transcript: TranscriptEntry[] =
    conversation?.transcript ??
    (random.chance(0.7) ? [{ role: "assistant", content: phrases.greeting }] : []);
  // From the page's own data, or confirmed on the card.
  const isKnown = random.chance(0.3);
  const email =
    isKnown || conversation?.confirmedEmail ? addressOf(random, plot.person) : undefined;
  return {
    id: uuidAt(random, startedAt),
    agent_id: agentId,
    status,
    metadata: metadataOf(random, isKnown ? plot.person : undefined, email?.typed),
    ...(transcript.length > 0 && { transcript, duration_secs: durationSecs(random, transcript) }),
    ...(status === "processed" &&
      conversation !== undefined && {
        summary: summarize(plot, conversation),
        evaluation: evaluate(language, plot, conversation, phrases),
      }),
    ...(email !== undefined && {
      email: email.typed.toLowerCase(),
      ...(email.verified !== undefined && { email_verified: email.verified }),
    }),
    created_at: startedAt.toISOString(),
  };
}

function makePlot(random: Random, phrases: Phrases): Plot {
  const person: Person = {
    first: random.pick(phrases.people.first),
    last: random.pick(phrases.people.last),
    company: random.pick(phrases.companies),
  };
  const introducesThemselves = random.chance(0.5);
  const variant = random.integer(0, 5);
  if (random.chance(0.08)) {
    const unfit = random.pick(keysOf(RECORD.unfit));
    const ending = { showsSlide: false, remarks: [], leaves: false, confirmsEmail: false };
    return { person, introducesThemselves, variant, reason: { unfit }, ...ending };
  }
  const remarks: Remark[] = random
    .pickSeveral(keysOf(RECORD.questions), random.integer(1, 4))
    .map((question) => ({ question }));
  if (random.chance(0.4)) {
    const objection = random.pick(keysOf(RECORD.objections));
    remarks.splice(random.integer(1, remarks.length), 0, { objection });
  }
  return {
    person,
    introducesThemselves,
    reason: { need: random.pick(keysOf(RECORD.needs)) },
    showsSlide: random.chance(0.35),
    remarks,
    ...(random.chance(0.3) && {
      interruption: {
        remark: random.integer(0, remarks.length - 1),
        share: 0.3 + random.next() / 2,
      },
    }),
    ...(random.chance(0.4) && {
      currentTool: random.pick(keysOf(RECORD.currentTools)),
    }),
    ...(random.chance(0.3) && { decider: random.pick(keysOf(RECORD.deciders)) }),
    ...(random.chance(0.75) && { monthlyVisitors: random.integer(3, 180) * 250 }),
    ...(random.chance(0.75) && { timeline: random.weighted(TIMELINE_SHARES) }),
    leaves: random.chance(0.15),
    confirmsEmail: random.chance(0.45),
    variant,
  };
}

/** Names below `.example` belong to nobody. */
function addressOf(random: Random, person: Person): { typed: string; verified?: boolean } {
  const typed = `${ascii(person.first)}.${ascii(person.last)}@${ascii(person.company)}.example`;
  const verified = random.weighted([
    [true, 80],
    [false, 8],
    [undefined, 12],
  ] as const);
  return {
    typed: random.chance(0.1) ? typed.replace(/^./, (letter) => letter.toUpperCase()) : typed,
    ...(verified !== undefined && { verified }),
  };
}

/** Values that were not strings on the page stand there as JSON. */
function metadataOf(
  random: Random,
  person: Person | undefined,
  email: string | undefined,
): Metadata {
  return {
    page: random.pick(["/", "/pricing", "/product", "/docs/export", "/customers"]),
    ...(person !== undefined && {
      name: `${person.first} ${person.last}`,
      plan: random.pick(["trial", "team", "business"]),
      seats: String(random.integer(1, 60)),
    }),
    ...(random.chance(0.4) && {
      utm: JSON.stringify({
        source: random.pick(["newsletter", "search", "partner"]),
        campaign: random.pick(["autumn", "launch", "webinar"]),
      }),
    }),
    ...(email !== undefined && { email }),
  };
}

/** About 150 words a minute, and a breath between turns. */
function durationSecs(random: Random, transcript: TranscriptEntry[]): number {
  const words = transcript.reduce((sum, { content }) => sum + content.split(" ").length, 0);
  return Math.round(words / 2.5 + transcript.length * (1 + random.next()));
}

/** A UUID of version 7, as the service makes them: its first 48 bits are the time. */
function uuidAt(random: Random, time: Date): string {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => random.integer(0, 15).toString(16)).join("");
  const stamp = time.getTime().toString(16).padStart(12, "0");
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${digits(3)}-${random.pick(["8", "9", "a", "b"])}${digits(3)}-${digits(12)}`;
}

function ascii(text: string): string {
  return text
    .replaceAll("ß", "ss")
    .replaceAll("ı", "i")
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Visits by hour of the day (UTC), as on a site with customers in Europe and America. */
const BY_HOUR = [2, 1, 1, 1, 1, 2, 5, 9, 12, 13, 12, 9, 10, 13, 14, 13, 11, 9, 8, 8, 7, 5, 4, 3];
/** The last visits are over by now, and their evaluations too. */
const QUIET_MS = 20 * 60_000;

/** Moments of the last 30 days, oldest first: busy by day, quiet at night and at weekends. */
function startTimes(random: Random, count: number, now: Date): Date[] {
  const latest = now.getTime() - QUIET_MS;
  const times = new Set<number>();
  while (times.size < count) {
    const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS - random.integer(0, DAYS) * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    if (isWeekend && random.chance(0.7)) continue;
    const hour = random.weighted(BY_HOUR.map((weight, index) => [index, weight] as const));
    // No session starts on a whole second: the export's `since` could then be read in two ways.
    const time =
      midnight + hour * 3_600_000 + random.integer(0, 3_599) * 1_000 + random.integer(1, 999);
    if (time <= latest && time > now.getTime() - DAYS * DAY_MS) times.add(time);
  }
  return [...times].toSorted((a, b) => a - b).map((time) => new Date(time));
}
