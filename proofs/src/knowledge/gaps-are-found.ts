import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCustomer, operatorEnvironment, SvcProcess } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import type { AgentGaps } from "@svc/contract/types";
import { Random } from "@svc/tools/random";
import type { Claim, Outcome, Tools } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { ordinaryReply, plantedGaps, unansweredReply } from "./planted-gaps.ts";
import type { PlantedReply } from "./planted-gaps.ts";

const LEAST_FOUND = 0.95;
const MOST_FALSE = 0.05;

export const gapsAreFound: Claim = {
  promise:
    "What visitors of thousands of sessions asked and nobody had written down is found and put together, in four languages; what was answered is not listed, nor what was erased.",
  bound: `≥ ${LEAST_FOUND * 100} % of planted gaps found, ≤ ${MOST_FALSE * 100} % of listed ones false, 0 of others' or erased sessions`,
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  prove: proveGaps,
};

async function proveGaps({ seed, sized, say, onEnd, progress }: Tools): Promise<Outcome> {
  const stage = await openStage();
  onEnd(() => stage.close());
  const { database } = stage;
  const customer = await addCustomer(database.db, { name: "Fixture" });
  const other = await addCustomer(database.db, { name: "Other" });
  const sessions = sized({ quick: 1_000, full: 10_000 });
  const random = new Random(seed);
  const gaps = random.pickSeveral(plantedGaps(), sized({ quick: 60, full: 200 }));
  const times = gaps.map(() => 0);
  const talks = Array.from({ length: sessions }, () =>
    Array.from({ length: random.integer(1, 5) }, () => ordinaryReply(random)),
  );
  /** By the place of its session: which gap was planted there, and how it was asked. */
  const planted = new Map<number, { gap: number; heard: string }>();
  const free = random.pickSeveral([...talks.keys()], gaps.length * MOST_ASKED);
  for (const [gap, one] of gaps.entries())
    for (let asked = random.integer(1, MOST_ASKED); asked > 0; asked -= 1) {
      const reply = unansweredReply(random, one);
      const at = free.pop()!;
      talks[at]!.splice(random.integer(0, talks[at]!.length), 0, reply);
      times[gap]! += 1;
      planted.set(at, { gap, heard: reply.heard });
    }
  const ids = await plant(database, customer, talks, progress);
  // The control: a model that neither notes nor admits anything, and of whose sentences some are held.
  const silent = talks.map((replies) =>
    replies.map(({ events, ...reply }) => ({
      ...reply,
      said: "Somebody will write to you.",
      events: events.filter(([kind]) => kind === "held" || kind === "sources"),
    })),
  );
  const otherIds = await plant(database, other, silent, progress);
  // Of others: another account, test sessions, and a session that is erased.
  const hidden = { aspect: gaps[0]!.aspect, thing: "Quollwort" };
  const unlisted = [[{ ...unansweredReply(random, hidden), events: [NOTED] }]];
  await plant(database, other, unlisted, progress);
  await plant(database, customer, unlisted, progress, { test: true });
  const [erased] = await plant(database, customer, unlisted, progress);
  const svc = await owner(database, onEnd);
  await svc(`erase --session ${erased} --yes --json`);
  const listFor = async ({ agent }: Customer): Promise<Listed[]> => {
    const out = await svc(`agents gaps ${agent.agentId} --since 60d --limit 1000 --json`);
    if (agent === customer.agent) leaks = out.split("Quollwort").length - 1;
    const { gaps: all } = JSON.parse(out) as AgentGaps;
    const placeOf = new Map((agent === customer.agent ? ids : otherIds).map((id, at) => [id, at]));
    return all.map(({ quotes }) =>
      quotes.map(({ session_id: id, question }) => {
        const { gap, heard } = planted.get(placeOf.get(id)!) ?? { heard: "" };
        return heard.includes(question) ? gap : undefined;
      }),
    );
  };
  let leaks = 0;
  const startedAt = performance.now();
  const listed = await listFor(customer);
  const tookMs = performance.now() - startedAt;
  const { found, wrong, twice } = judge(listed, times);
  const naive = naivelyWrong(talks, planted);
  const control = judge(await listFor(other), times);
  say(`${listed.length} listed, ${twice} of them again; ${(tookMs / 1_000).toFixed(1)} s`);
  say(
    `controls: of a model that says nothing of it ${control.found} found; of every held sentence, empty search and "know" ${Math.round(naive * 100)} % false`,
  );
  const part = found / gaps.length;
  const falseShare = wrong / listed.length;
  return {
    figure: `${(part * 100).toFixed(1)} % of ${gaps.length} found, ${(falseShare * 100).toFixed(1)} % of ${listed.length} false, ${leaks} leaked`,
    ok:
      part >= LEAST_FOUND &&
      falseShare <= MOST_FALSE &&
      leaks === 0 &&
      control.found / gaps.length < LEAST_FOUND &&
      naive > MOST_FALSE,
    size: `${sessions} sessions`,
  };
}

const NOTED: PlantedReply["events"][number] = [
  "direction",
  { name: "unknown", value: "Quollwort", done: true },
];

/** The planted gap of each quote. */
type Listed = (number | undefined)[];

/** A gap is found if most quotes of a listed one are about it. One that is listed again is counted apart. */
function judge(listed: Listed[], times: number[]): { found: number; wrong: number; twice: number } {
  const seen = new Set<number>();
  let [wrong, twice] = [0, 0];
  for (const of of listed) {
    const [gap, quotes = []] =
      [...Map.groupBy(of, (one) => one)].toSorted((a, b) => b[1].length - a[1].length)[0] ?? [];
    if (gap === undefined || quotes.length * 2 <= of.length) wrong += 1;
    else if (seen.has(gap)) twice += 1;
    else seen.add(gap);
  }
  return { found: times.filter((_, at) => seen.has(at)).length, wrong, twice };
}

/** The control: how many of the replies with a mark of trouble were no gap. */
function naivelyWrong(talks: PlantedReply[][], planted: Map<number, { heard: string }>): number {
  const isMarked = ({ said, events }: PlantedReply): boolean =>
    /know/.test(said) ||
    events.some(
      ([kind, { sections }]) =>
        kind === "held" || (Array.isArray(sections) && sections.length === 0),
    );
  const marked = talks.flatMap((talk, at) =>
    talk.filter(isMarked).map(({ heard }) => planted.get(at)?.heard === heard),
  );
  return marked.filter((isPlanted) => !isPlanted).length / marked.length;
}

const MOST_ASKED = 6;
const BATCH = 500;

/** Writes sessions with the rows that talks leave behind, a minute apart. */
async function plant(
  { pool }: TestDatabase,
  { account, agent }: Customer,
  talks: PlantedReply[][],
  progress: Tools["progress"],
  { test = false } = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let done = 0; done < talks.length; done += BATCH) {
    const batch = talks.slice(done, done + BATCH).map((replies, at) => ({
      minutes: done + at + 1,
      replies: replies.flatMap((reply, index) => rowsOf(reply, index * 10)),
    }));
    const { rows } = await pool.query<{ id: string }>(PLANT, [
      account.id,
      agent.agentId,
      agent.version,
      test,
      JSON.stringify(batch),
    ]);
    ids.push(...rows.map(({ id }) => id).toReversed());
    progress(done, talks.length, "sessions planted");
  }
  return ids;
}

/** In the order in which a conversation writes them. */
function rowsOf({ heard, said, language, events }: PlantedReply, secs: number): object[] {
  return [
    { secs, role: "user", content: heard },
    { secs: secs + 1, kind: "state", detail: { language, open: [] } },
    ...events.map(([kind, detail]) => ({ secs: secs + 2, kind, detail })),
    { secs: secs + 3, role: "assistant", content: said },
  ];
}

const PLANT = `
  WITH given AS (
    SELECT gen_random_uuid() AS id, talk.replies,
      date_trunc('second', now()) - (1 + talk.minutes) * interval '1 minute' + interval '1 millisecond' AS at
    FROM json_to_recordset($5::json) AS talk (minutes integer, replies json)
  ), started AS (
    INSERT INTO sessions (id, account_id, agent_id, agent_version, test, status, created_at, connect_by, ended_at,
      end_reason, settled_at, metadata, language, duration_secs)
    SELECT id, $1, $2, $3, $4, 'processed', at, at, at, 'visitor_ended', at, '{}', 'en', 60 FROM given
  ), lines AS (
    SELECT given.id, given.at, line.* FROM given, ROWS FROM (json_to_recordset(given.replies)
      AS (secs integer, role text, content text, kind text, detail jsonb)) WITH ORDINALITY
      AS line (secs, role, content, kind, detail, ordinality)
  ), said AS (
    INSERT INTO turns (session_at, session_id, item_id, role, content, at)
    SELECT at, id, 'item-' || ordinality, role, content, at + secs * interval '1 second'
    FROM lines WHERE role IS NOT NULL ORDER BY ordinality
  ), noted AS (
    INSERT INTO session_events (session_at, session_id, at, kind, detail)
    SELECT at, id, at + secs * interval '1 second', kind, detail FROM lines WHERE kind IS NOT NULL ORDER BY ordinality
  )
  SELECT id FROM given ORDER BY at`;

async function owner(
  database: TestDatabase,
  onEnd: Tools["onEnd"],
): Promise<(line: string) => Promise<string>> {
  const directory = await mkdtemp(join(tmpdir(), "svc-gaps-"));
  const svc = new SvcProcess(join(directory, "compiled"));
  onEnd(() => rm(directory, { recursive: true, force: true }));
  onEnd(() => svc.close());
  const surroundings = { directory, environment: operatorEnvironment(database) };
  return async (line) => {
    const { exitCode, out, err } = await svc.run(line.split(" "), surroundings);
    if (exitCode !== 0) throw new Error(err);
    return out;
  };
}
