import type {
  ConsoleAgents,
  ConsoleEndpoints,
  ConsoleFigures,
  ConsoleFunnel,
  DeliveryRow,
  DeliveryRows,
  FoundSession,
  FoundSessions,
  Story,
} from "@svc/contract/types";
import type { Random } from "@svc/tools/random";
import Papa from "papaparse";
import type { Comparison } from "./comparison.ts";
import {
  BY,
  declinedOf,
  deliveriesOf,
  edgeOf,
  figuresOf,
  foundOf,
  funnelOf,
  healthOf,
  ofAccount,
  rowOf,
  wordsOf,
} from "./expected.ts";
import type { By, Counts, MadeWorld, Search } from "./expected.ts";
import { dayOf, INSIGHTS, LANGUAGES, QUESTIONS } from "./generate-sessions.ts";
import type { MadeDelivery, MadeSession } from "./generate-sessions.ts";
import type { Asker } from "./made-world.ts";
import { evaluationOf, noteOf } from "./store-sessions.ts";

const DAY_MS = 86_400_000;
const STEPS = [
  "button_viewed",
  "opened",
  "form",
  "started",
  "microphone",
  "talked",
  "email_given",
  "evaluated",
  "qualified",
  "delivered",
];
const SHARE_OF: Record<string, string> = {
  opened: "button_viewed",
  started: "opened",
  microphone: "started",
  talked: "started",
  email_given: "talked",
  evaluated: "talked",
  qualified: "evaluated",
  delivered: "qualified",
};
const ZEROS: Counts = Object.fromEntries(STEPS.map((step) => [step, 0]));

/** The first day of so many, today included. */
export function sinceOf(days: number, nowMs: number): string {
  return dayOf(new Date(nowMs - (days - 1) * DAY_MS));
}

export function stepsOf(counts: Counts): ConsoleFunnel["steps"] {
  const all = { ...ZEROS, ...counts };
  return STEPS.map((step) => {
    const of = SHARE_OF[step];
    const [count, base] = [all[step]!, of === undefined ? 0 : all[of]!];
    const hasShare = base > 0 && count <= base;
    return { step, count, ...(hasShare && { of: of!, share: count / base }) };
  });
}

/** The numbers of the overview, for every span and account, in all and by everything. */
export async function compareOverview(
  world: MadeWorld,
  ask: Asker,
  nowMs: number,
  comparison: Comparison,
): Promise<void> {
  const accounts = [...new Set(world.agents.map(({ account }) => account))];
  for (const days of [1, 7, 28]) {
    await Promise.all(
      [undefined, ...accounts].map((account) =>
        compareSpan(world, ask, sinceOf(days, nowMs), account, comparison),
      ),
    );
  }
}

async function compareSpan(
  world: MadeWorld,
  ask: Asker,
  since: string,
  account: number | undefined,
  comparison: Comparison,
): Promise<void> {
  const seen = ofAccount(world, account);
  const query = {
    since: `${since}T00:00:00Z`,
    ...(account !== undefined && { account: world.accounts[account]!.clientId }),
  };
  const title = `since ${since} of ${query.account ?? "all"}`;
  const figures = await ask<ConsoleFigures>("figures", query);
  const expected = (by?: "day" | "agent"): [string, object][] =>
    [...figuresOf(seen, since, by)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const nothing = {
    started: 0,
    qualified: 0,
    delivered: 0,
    failed: 0,
    unanswered: 0,
    cost_micros: 0,
  };
  const total = figuresOf(seen, since).get("") ?? { ...nothing, cost_is_partial: false };
  comparison.equal(`figures ${title}`, figures.total, total);
  comparison.equal(
    `figures by day ${title}`,
    figures.days,
    expected("day").map(([day, of]) => ({ day, ...of })),
  );
  comparison.equal(
    `figures by agent ${title}`,
    figures.agents.toSorted((a, b) => (a.agent_id < b.agent_id ? -1 : 1)),
    expected("agent").map(([id, of]) => ({ agent_id: id, ...of })),
  );
  for (const by of [undefined, ...BY]) {
    const funnel = await ask<ConsoleFunnel>("funnel", { ...query, ...(by && { by }) });
    comparison.equal(
      `funnel ${title}`,
      { steps: funnel.steps, declined: funnel.declined },
      {
        steps: stepsOf(funnelOf(seen, since).get("") ?? {}),
        declined: declinedOf(seen, since),
      },
    );
    if (by !== undefined) {
      compareRows(`funnel by ${by} ${title}`, funnel, funnelOf(seen, since, by), by, comparison);
    }
  }
}

const MOST_ROWS = 20;
type Rows = NonNullable<ConsoleFunnel["rows"]>;

/** Each row by itself, the order of the rows, and that whatever has no row is in the last ones. */
function compareRows(
  title: string,
  { rows = [] }: ConsoleFunnel,
  expected: Map<string, Counts>,
  by: By,
  comparison: Comparison,
): void {
  // Before a demo is opened, no language is chosen.
  const known = STEPS.filter(
    (step) => by !== "language" || (step !== "button_viewed" && step !== "form"),
  );
  const complete = (counts: Counts): Counts =>
    Object.fromEntries(known.map((step) => [step, counts[step] ?? 0]));
  const isEmpty = (counts: Counts): boolean => known.every((step) => !counts[step]);
  const left = new Map([...expected].filter(([, counts]) => !isEmpty(counts)));
  const sum = (ones: Counts[]): Counts =>
    Object.fromEntries(
      known.map((step) => [step, ones.reduce((total, one) => total + (one[step] ?? 0), 0)]),
    );
  const named = rows.filter(({ value }) => value !== undefined && value !== "other");
  for (const { value, counts } of named) {
    comparison.equal(`${title}, ${value}`, counts, complete(left.get(value!) ?? {}));
    left.delete(value!);
  }
  const unknown = left.get("");
  left.delete("");
  const others = [...left.values()];
  comparison.equal(`${title}, the rest`, rows.slice(named.length), [
    ...(others.length > 0 ? [{ value: "other", counts: sum(others) }] : []),
    ...(unknown ? [{ counts: complete(unknown) }] : []),
  ]);
  comparison.equal(
    `${title}, rows`,
    named.length,
    Math.min(MOST_ROWS, named.length + others.length),
  );
  comparison.equal(`${title}, order`, isInOrder(named, others, by), true);
}

function isInOrder(named: Rows, others: Counts[], by: By): boolean {
  const keys = named.map(({ value, counts }) =>
    by === "day" ? [Date.parse(value!)] : by === "version" ? [Number(value)] : visitorsOf(counts),
  );
  const isBefore = (a: number[], b: number[]): boolean =>
    a.every((key, at) => a.slice(0, at).some((one, n) => one > b[n]!) || key >= b[at]!);
  const last = keys.at(-1);
  return (
    keys.every((key, at) => at === 0 || isBefore(keys[at - 1]!, key)) &&
    (last === undefined || others.every((counts) => isBefore(last, visitorsOf(counts))))
  );
}

function visitorsOf(counts: Counts): number[] {
  return [counts["opened"] ?? 0, counts["started"] ?? 0];
}

/** One search for each value of each filter, and so many of several filters together. */
export function searchesIn(world: MadeWorld, random: Random, mixed: number): Search[] {
  const since = (days: number): string =>
    new Date(world.sessions.at(-1)!.at.getTime() - days * DAY_MS).toISOString();
  const { email = "", name = "" } = random.pick(
    world.sessions.filter((one) => one.name && one.email),
  );
  const choices: Search[] = [
    ...world.accounts.map(({ clientId }) => ({ account: clientId })),
    ...world.agents.map(({ id }) => ({ agent: id })),
    ...["active", "abandoned", "processed", "error"].map((status) => ({ status })),
    ...["qualified", "disqualified", "not_enough_data"].map((qualification) => ({ qualification })),
    ...LANGUAGES.map((language) => ({ language })),
    ...["modal", "widget", "hero"].map((entry) => ({ entry })),
    ...["desktop", "phone", "tablet"].map((device) => ({ device })),
    ...QUESTIONS.map((answered) => ({ answered })),
    ...INSIGHTS.map((insight) => ({ insight })),
    ...["delivered", "under_way", "failed"].map((delivery) => ({ delivery })),
    ...["migr", "excel invoice", "it", "nobody said this", email, name].map((text) => ({ text })),
    ...[1, 7, 30].map((days) => ({ since: since(days) })),
    { test: "true" },
  ];
  const together = Array.from({ length: mixed }, (): Search =>
    Object.assign({}, ...random.pickSeveral(choices, random.integer(2, 4))),
  );
  return [{}, ...choices, ...together];
}

const AT_ONCE = 4;

/** Whole lists, page by page, and what a download of the same search holds. */
export async function compareSessions(
  world: MadeWorld,
  ask: Asker,
  searches: Search[],
  comparison: Comparison,
): Promise<void> {
  const left = searches.entries();
  await Promise.all(Array.from({ length: AT_ONCE }, () => compareNext()));

  async function compareNext(): Promise<void> {
    for (const [index, search] of left) await compareSearch(search, index % 5 === 0);
  }

  async function compareSearch(search: Search, withSheet: boolean): Promise<void> {
    const title = `sessions ${JSON.stringify(search)}`;
    const shown: FoundSession[] = [];
    let next: string | undefined;
    do {
      const query = { ...search, limit: 1_000, ...(next && { before: next }) };
      const page = await ask<FoundSessions>("sessions", query);
      shown.push(...page.sessions);
      next = page.next;
    } while (next !== undefined);
    const found = foundOf(world, search);
    comparison.equal(
      title,
      shown.map(({ heard: _heard, ...row }) => row),
      found.map((one) => rowOf(world, one)),
    );
    if (search.text !== undefined) {
      const wrong = shown.filter(({ heard }, at) => !isHeard(heard, found[at], search.text!));
      comparison.equal(`${title}, heard`, wrong.length, 0);
    }
    if (withSheet && found.length < 5_000) {
      const sheet = await ask<string>("sessions.csv", search);
      comparison.equal(`${title}, spreadsheet`, cellsOf(sheet), sheetOf(world, found));
    }
  }
}

/** The words around the first place where one was heard; none if only the name or the address has it. */
function isHeard(
  heard: FoundSession["heard"],
  session: MadeSession | undefined,
  text: string,
): boolean {
  const said = session?.test ? [] : (session?.turns ?? []);
  const wanted = wordsOf(text);
  const has = (content: string): boolean =>
    wordsOf(content).some((word) => wanted.some((one) => word.startsWith(one)));
  const turn = said.find(({ content }) => has(content));
  if (turn === undefined || heard === undefined) return turn === heard;
  const cut = heard.content.replaceAll("…", "");
  return heard.role === turn.role && turn.content.includes(cut) && has(cut);
}

function cellsOf(sheet: string): Record<string, string>[] {
  return Papa.parse<Record<string, string>>(sheet.replace(/^\ufeff/, ""), {
    header: true,
    skipEmptyLines: true,
  }).data;
}

function sheetOf(world: MadeWorld, found: MadeSession[]): Record<string, string>[] {
  const rows = found.map((one) => rowOf(world, one));
  // Spreadsheets would take what begins so for a formula.
  const text = (value: string | number | undefined): string =>
    String(value ?? "").replace(/^(?=[=+@-])/, "'");
  const has = (part: "answers" | "insights", key: string): boolean =>
    rows.some((row) => key in row[part]);
  return rows.map((row) => ({
    started: row.created_at,
    account: row.account_name,
    agent: row.agent_slug,
    version: String(row.agent_version),
    status: row.status,
    name: text(row.customer_name),
    email: text(row.email),
    language: text(row.language),
    qualification: text(row.qualification),
    seconds: text(row.duration_secs),
    delivery: text(row.delivery),
    id: row.id,
    ...Object.fromEntries([
      ...QUESTIONS.filter((key) => has("answers", key)).map((key) => [
        `question ${key}`,
        text(row.answers[key]),
      ]),
      ...INSIGHTS.filter((key) => has("insights", key)).map((key) => [
        `insight ${key}`,
        text(row.insights[key]),
      ]),
    ]),
  }));
}

/** Everything that the page of a session shows, of each of these. */
export async function compareStories(
  world: MadeWorld,
  ask: Asker,
  sessions: MadeSession[],
  nowMs: number,
  comparison: Comparison,
): Promise<void> {
  for (const one of sessions) {
    const story = await ask<Story>(`sessions/${one.id}`);
    const { waiting, costMicros, microphone, answersMs, cutsMs } = one;
    const { test, imported, status, hasTimes } = one;
    const edge = edgeOf(world, one.agent.account);
    const isBehind = edge !== undefined && one.at > edge.session.at;
    const verdict = one.verdicts.at(-1);
    const row = rowOf(world, one);
    comparison.equal(
      `session ${one.id}`,
      {
        account: story.account,
        agent: story.agent,
        status: story.status,
        test: story.test,
        created_at: story.created_at,
        ended_at: story.ended_at,
        duration_secs: story.duration_secs,
        email: story.email,
        page: story.page,
        cost_micros: story.cost_micros,
        conversation: story.conversation,
        events: story.events.map(({ kind, detail }) => ({ kind, ...detail })),
        evaluations: story.evaluations.map(({ version, state, cost_micros: micros }) => [
          version,
          state,
          micros,
        ]),
        evaluation: story.evaluation,
        waiting: story.waiting,
        state: story.export.state,
        edge: story.edge && [story.edge.session_id, story.edge.held],
      },
      {
        account: { client_id: row.client_id, name: row.account_name },
        agent: { id: row.agent_id, slug: row.agent_slug, version: row.agent_version },
        status,
        test,
        created_at: row.created_at,
        ended_at: row.ended_at,
        duration_secs: row.duration_secs,
        email: row.email,
        page: one.page?.url,
        cost_micros: costMicros || undefined,
        conversation:
          hasTimes || status !== "active"
            ? one.turns.map((turn, index) => ({
                ...turn,
                ...(hasTimes && { at: new Date(one.at.getTime() + index * 1_000).toISOString() }),
              }))
            : [],
        events: [
          ...(microphone ? [{ kind: "microphone" }] : []),
          ...answersMs.map((ms) => ({ kind: "reply", answer_ms: ms })),
          ...cutsMs.map((ms) => ({ kind: "reply", silent_ms: ms, cut: true })),
          ...noteOf(one).map(({ kind, detail }) => ({ kind, ...detail })),
        ],
        evaluations:
          status === "error"
            ? [[1, "failed", 0]]
            : (imported ? [] : one.verdicts).map((_, index) => [
                index + 1,
                "written",
                index === one.verdicts.length - 1 ? one.judgedMicros : 0,
              ]),
        evaluation: verdict && evaluationOf(one, verdict),
        waiting: waiting && {
          waits_for: waiting.waitsFor,
          until: waiting.until.toISOString(),
          overdue: waiting.until.getTime() < nowMs,
        },
        state: test ? "test" : status === "active" ? "not_settled" : isBehind ? "held" : "exported",
        edge: edge && [edge.session.id, edge.held],
      },
    );
    const { deliveries } = await ask<DeliveryRows>("deliveries", { session: one.id });
    const expected = deliveriesOf(world, { session: one.id });
    comparison.equal(
      `deliveries of ${one.id}`,
      deliveries,
      expected.map(({ delivery }) => deliveryRowOf(world, one, delivery)),
    );
  }
}

/** Receivers with their health, events by receiver and state, edges, agents and accounts. */
export async function compareDeliveries(
  world: MadeWorld,
  ask: Asker,
  nowMs: number,
  comparison: Comparison,
): Promise<void> {
  const { endpoints, edges } = await ask<ConsoleEndpoints>("endpoints");
  comparison.equal(
    "health of receivers",
    endpoints.map(({ id, account_name: name, health }) => ({ id, name, health })),
    world.endpoints.map(({ id, account }) => ({
      id,
      name: world.accounts[account]!.name,
      health: healthOf(world, id, nowMs),
    })),
  );
  comparison.equal(
    "edges of exports",
    edges.map(
      ({ client_id: id, session_id: session, held, waits_for: waitsFor, until, overdue }) => ({
        id,
        session,
        held,
        waitsFor,
        until,
        overdue,
      }),
    ),
    world.accounts.flatMap(({ clientId }, account) => {
      const edge = edgeOf(world, account);
      if (edge === undefined) return [];
      const { waitsFor, until } = edge.session.waiting!;
      return {
        id: clientId,
        session: edge.session.id,
        held: edge.held,
        waitsFor,
        until: until.toISOString(),
        overdue: until.getTime() < nowMs,
      };
    }),
  );
  const states = ["waiting", "running", "delivered", "exhausted", "orphaned", "cancelled"];
  for (const endpoint of [undefined, ...world.endpoints.map(({ id }) => id)]) {
    for (const state of [undefined, ...states]) {
      const query = { ...(endpoint && { endpoint }), ...(state && { state }) };
      const rows = await ask<DeliveryRows>("deliveries", { ...query, limit: 1_000 });
      const expected = deliveriesOf(world, query);
      comparison.equal(`deliveries ${JSON.stringify(query)}`, rows, {
        deliveries: expected
          .slice(0, 1_000)
          .map(({ session, delivery }) => deliveryRowOf(world, session, delivery)),
        more: expected.length > 1_000,
      });
    }
  }
  const { agents } = await ask<ConsoleAgents>("agents");
  comparison.equal(
    "agents",
    agents.map(({ id, slug, version, account_name: name }) => ({ id, slug, version, name })),
    agents.map(({ id }) => {
      const agent = world.agents.find((one) => one.id === id)!;
      return { id, slug: agent.slug, version: 2, name: world.accounts[agent.account]!.name };
    }),
  );
  comparison.equal("number of agents", agents.length, world.agents.length);
}

function deliveryRowOf(
  { accounts }: MadeWorld,
  session: MadeSession,
  { endpoint, ...delivery }: MadeDelivery,
): DeliveryRow {
  const last = delivery.attempts.at(-1);
  const isOpen = delivery.state === "waiting" || delivery.state === "running";
  return {
    id: delivery.id,
    state: delivery.state,
    session_id: session.id,
    ...(session.email !== undefined && { email: session.email }),
    endpoint_id: endpoint.id,
    url: endpoint.url,
    client_id: accounts[endpoint.account]!.clientId,
    account_name: accounts[endpoint.account]!.name,
    attempts: delivery.attempts.length,
    crashes: 0,
    ...(last && { last_outcome: last.outcome }),
    ...(last?.status !== undefined && { last_status: last.status }),
    followed: delivery.followed,
    ...(delivery.replayOf !== undefined && { replay_of: delivery.replayOf }),
    created_at: delivery.at.toISOString(),
    ...(delivery.state === "waiting" && { due_at: delivery.dueAt.toISOString() }),
    ...(!isOpen && { finished_at: delivery.at.toISOString() }),
  };
}
