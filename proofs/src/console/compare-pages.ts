import { openBrowser } from "../browsers/browser.ts";
import type { Page } from "../browsers/browser.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { runSvc } from "../pipeline/run-svc.ts";
import type { Tools } from "../runner/proof.ts";
import type { Stage } from "../stage/stage.ts";
import { Comparison } from "./comparison.ts";
import { sinceOf, stepsOf } from "./compare-answers.ts";
import {
  BY,
  arrivalOf,
  declinedOf,
  deliveriesOf,
  edgeOf,
  figuresOf,
  foundOf,
  funnelOf,
  healthOf,
} from "./expected.ts";
import type { By, Figures, MadeWorld } from "./expected.ts";
import type { MadeSession } from "./generate-sessions.ts";
import { QUESTIONS } from "./generate-sessions.ts";
import { readPage } from "./read-page.ts";
import type { ReadPage } from "./read-page.ts";

/** A busy machine reads its pages late. */
const SHOWN_WITHIN_MS = 20_000;

const MANY_FAULTS = 5;

/** Somebody who is signed in and looks at pages. */
export class Reader {
  readonly #page: Page;
  readonly #url: string;
  readonly version: string;

  private constructor(page: Page, url: string, version: string) {
    this.#page = page;
    this.#url = url;
    this.version = version;
  }

  static async signIn(
    { database }: Pick<Stage, "database">,
    url: string,
    { onEnd }: Pick<Tools, "onEnd">,
  ): Promise<Reader> {
    const login = ["console", "login", "--name", "Ada", "--json"];
    const made = await runSvc(database, login, { SVC_PUBLIC_URL: url });
    const browser = await openBrowser("chromium");
    onEnd(() => browser.close());
    const page = await browser.newPage({ width: 1_600, height: 1_200 });
    await page.goto((JSON.parse(made) as { url: string }).url);
    const press = (): boolean => {
      const button = [...document.querySelectorAll("button")].find(({ textContent }) =>
        textContent.includes("Sign in as"),
      );
      button?.click();
      return button !== undefined;
    };
    await waitUntil(() => page.run(press).catch(() => false), SHOWN_WITHIN_MS, 50);
    const isIn = (): boolean => document.querySelector("main.page") !== null;
    const shown = await waitUntil(() => page.run(isIn).catch(() => false), SHOWN_WITHIN_MS, 50);
    if (!shown)
      throw new Error(`nobody could sign in: ${await page.run(() => document.body.innerText)}`);
    return new Reader(page, url, browser.version);
  }

  /** Opens a page and looks until everything on it is as expected, or for the time that it may take. */
  async see(
    path: string,
    compare: (page: ReadPage, comparison: Comparison) => void,
    comparison: Comparison,
    withinMs: number = SHOWN_WITHIN_MS,
  ): Promise<void> {
    await this.#page.goto(`${this.#url}/console${path}`);
    let last = new Comparison();
    await waitUntil(
      async () => {
        last = new Comparison();
        const page = await this.#page.run(readPage).catch(() => undefined);
        if (page !== undefined) compare(page, last);
        return page !== undefined && last.faults.length === 0;
      },
      // Where much is wrong, waiting for the rest would only take long.
      comparison.faults.length > MANY_FAULTS ? 1_000 : withinMs,
      100,
    );
    comparison.values += last.values;
    comparison.faults.push(...last.faults.map((fault) => `page ${path}: ${fault}`));
    if (last.values === 0) comparison.faults.push(`page ${path} was not shown`);
  }
}

const number = (value: number): string => value.toLocaleString("en");

function money(micros: number): string {
  const digits = micros < 1e6 ? 4 : 2;
  return (micros / 1e6).toLocaleString("en", {
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });
}

const waited = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`);

function length(secs: number): string {
  const [hours, minutes] = [Math.floor(secs / 3_600), Math.floor((secs % 3_600) / 60)];
  const two = (value: number): string => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(secs % 60)}` : `${minutes}:${two(secs % 60)}`;
}

/** "–" where nobody qualified. */
function perLead({ qualified, cost_micros: cost, cost_is_partial: isPartial }: Figures): string {
  if (qualified === 0) return "–";
  return `${isPartial ? "≥ " : ""}${money(cost / qualified)}`;
}

/** Every page once, the overview by everything. */
export async function comparePages(
  world: MadeWorld,
  reader: Reader,
  nowMs: number,
  sampled: MadeSession[],
  comparison: Comparison,
): Promise<void> {
  for (const by of [undefined, ...BY]) await seeOverview(world, reader, nowMs, comparison, 28, by);
  for (const days of [1, 7]) await seeOverview(world, reader, nowMs, comparison, days);
  await reader.see("/sessions", (page, one) => sessionsOn(world, page, one), comparison);
  const [agent] = world.agents;
  const search = { agent: agent!.id, qualification: "qualified", delivery: "delivered" };
  await reader.see(
    `/sessions?${new URLSearchParams(search).toString()}`,
    (page, one) => sessionsOn(world, page, one, search),
    comparison,
  );
  for (const session of sampled) {
    await reader.see(
      `/sessions/${session.id}`,
      (page, one) => sessionOn(session, page, one),
      comparison,
    );
  }
  const failed = deliveriesOf(world).find(({ delivery }) => delivery.state === "exhausted");
  await reader.see(
    `/deliveries${failed ? `?id=${failed.delivery.id}` : ""}`,
    (page, one) => deliveriesOn(world, page, nowMs, one, failed),
    comparison,
  );
  for (const { id, url } of world.endpoints) {
    await reader.see(
      `/endpoints/${id}`,
      (page, one) => {
        one.equal("host", page.title, new URL(url).host);
        const { failed: missing } = healthOf(world, id, nowMs);
        one.equal(
          "not arrived",
          page.notices.some((text) => text.startsWith(number(missing))),
          missing > 0,
        );
        one.equal("deliveries", eventsIn(page), eventsOf(world, { endpoint: id }, 10));
      },
      comparison,
    );
  }
  await reader.see(
    "/agents",
    (page, one) =>
      one.equal(
        "agents",
        tableIn(page, "Languages").map(([, account, , version]) => [
          account,
          /^v\d+(?!\d)/.exec(version!)?.[0],
        ]),
        inOrder(world).map(({ account }) => [world.accounts[account]!.name, "v2"]),
      ),
    comparison,
  );
  await reader.see("/accounts", (page, one) => accountsOn(world, page, nowMs, one), comparison);
}

/** As the lists of agents stand: by account, then by name. */
function inOrder({ agents, accounts }: MadeWorld): MadeWorld["agents"] {
  const key = ({ account, slug }: MadeWorld["agents"][number]): string =>
    `${accounts[account]!.name} ${slug}`;
  return agents.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** In an order of our own: on some pages what needs somebody comes first. */
function sorted(rows: string[][]): string[][] {
  return rows.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** The rows of the table that has this column. */
function tableIn({ tables }: ReadPage, column: string): string[][] {
  return tables.find(({ head }) => head.includes(column))?.rows ?? [];
}

export async function seeOverview(
  world: MadeWorld,
  reader: Reader,
  nowMs: number,
  comparison: Comparison,
  days: number,
  by?: By,
  withinMs?: number,
): Promise<void> {
  const query = new URLSearchParams({ days: String(days), ...(by && { by }) }).toString();
  const compare = (page: ReadPage, one: Comparison): void =>
    overviewOn(world, page, sinceOf(days, nowMs), by, one);
  await reader.see(`/?${query}`, compare, comparison, withinMs);
}

function overviewOn(
  world: MadeWorld,
  page: ReadPage,
  since: string,
  by: By | undefined,
  comparison: Comparison,
): void {
  const steps = stepsOf(funnelOf(world, since).get("") ?? {}).filter(
    ({ step, count }) => step !== "form" || count > 0,
  );
  comparison.equal(
    "steps",
    page.funnel.map(({ count, share }) => [count, Number.parseFloat(share) || undefined]),
    steps.map(({ count, share }) => [
      number(count),
      share === undefined ? undefined : Number((share * 100).toFixed(1)) || undefined,
    ]),
  );
  // The first bar may be cut; the others are drawn to one scale.
  const highest = Math.max(1, ...steps.slice(1).map(({ count }) => count));
  comparison.equal(
    "bars",
    page.funnel.map(({ bar }) => round(bar)),
    steps.map(({ count }) => round(Math.min(1, count / highest))),
  );
  const declined = declinedOf(world, since);
  comparison.equal("declined", page.tables.length > 0 && declined > 0, declined > 0);
  if (by !== undefined)
    rowsOn(
      world,
      page,
      since,
      by,
      steps.map(({ step }) => step),
      comparison,
    );
  const total = figuresOf(world, since).get("")!;
  const days = daysFrom(figuresOf(world, since, "day"));
  cardsOn(page, total, days, comparison);
  const agents = figuresOf(world, since, "agent");
  comparison.equal(
    "agents",
    sorted(tableIn(page, "Per lead").map((cells) => [cells[1]!, ...cells.slice(4)])),
    sorted(
      world.agents.map(({ id, account }) => {
        const figures = agents.get(id);
        const { name } = world.accounts[account]!;
        if (figures === undefined) return [name, "", "", "", "", "", "", ""];
        const { started, qualified, delivered, failed, unanswered, answers } = figures;
        return [
          name,
          ...[started, qualified, delivered, failed, unanswered].map(number),
          answers ? waited(answers.p95_ms) : "",
          perLead(figures),
        ];
      }),
    ),
  );
}

function rowsOn(
  world: MadeWorld,
  page: ReadPage,
  since: string,
  by: By,
  steps: string[],
  comparison: Comparison,
): void {
  const expected = funnelOf(world, since, by);
  const shown = page.tables[0]?.rows ?? [];
  const sums = steps.map((_, at) =>
    shown.reduce((sum, cells) => sum + Number((cells[at + 1] || "0").replaceAll(",", "")), 0),
  );
  const all = funnelOf(world, since).get("") ?? {};
  comparison.equal(
    `sums by ${by}`,
    sums,
    // Before a demo is opened, no language is chosen.
    steps.map((step) =>
      by === "language" && (step === "button_viewed" || step === "form") ? 0 : (all[step] ?? 0),
    ),
  );
  const named = by === "agent" ? [] : shown.filter(([value]) => expected.has(value!));
  comparison.equal(
    `rows by ${by}`,
    named,
    named.map(([value]) => [
      value,
      ...steps.map((step) =>
        by === "language" && (step === "button_viewed" || step === "form")
          ? ""
          : number(expected.get(value!)![step] ?? 0),
      ),
    ]),
  );
}

/** From the first to the last day with sessions, each with its own. */
function daysFrom(figures: Map<string, Figures>): Map<string, Figures | undefined> {
  const known = [...figures.keys()].toSorted();
  const days = new Map<string, Figures | undefined>();
  const lastMs = Date.parse(known.at(-1) ?? "");
  for (let ms = Date.parse(known[0] ?? ""); ms <= lastMs; ms += 86_400_000) {
    const day = new Date(ms).toISOString().slice(0, 10);
    days.set(day, figures.get(day));
  }
  return days;
}

function cardsOn(
  page: ReadPage,
  total: Figures,
  days: Map<string, Figures | undefined>,
  comparison: Comparison,
): void {
  const [, answers = "", cuts = "", cost = ""] = page.cards;
  for (const [shown, spread] of [
    [answers, total.answers],
    [cuts, total.interruptions],
  ] as const) {
    const words = spread && [
      waited(spread.p50_ms),
      `of ${number(spread.count)}`,
      `95 % within ${waited(spread.p95_ms)}`,
    ];
    comparison.equal(
      "waits",
      (words ?? ["–"]).filter((word) => !shown.includes(word)),
      [],
    );
  }
  comparison.equal(
    "cost",
    [perLead(total), money(total.cost_micros)].filter((word) => !cost.includes(word)),
    [],
  );
  const lines: ((figures: Figures) => number | undefined)[][] = [
    [({ answers: one }) => one?.p95_ms, ({ answers: one }) => one?.p50_ms],
    [({ interruptions: one }) => one?.p95_ms, ({ interruptions: one }) => one?.p50_ms],
    [({ qualified, cost_micros: micros }) => (qualified === 0 ? undefined : micros / qualified)],
  ];
  const drawn = lines
    .map((plot) =>
      plot.map((value) => [...days.values()].map((figures) => figures && value(figures))),
    )
    .filter((plot) => days.size > 1 && plot.flat().some((value) => value !== undefined));
  comparison.equal("plots", page.plots.length, drawn.length);
  for (const [index, plot] of drawn.entries()) {
    const shown = page.plots[index]?.lines ?? [];
    // All lines of a plot have one scale, which the highest point tells.
    const scale =
      Math.max(...shown.flat().map(([, y]) => y)) / Math.max(...plot.flat().map((one) => one ?? 0));
    comparison.equal(
      "points",
      shown.map((points) => points.map(([x, y]) => [round(x), round(y)])),
      plot.map((values) =>
        values.flatMap((value, at) =>
          value === undefined ? [] : [[round(at / (days.size - 1)), round(value * scale)]],
        ),
      ),
    );
  }
}

/** Far less than a pixel. */
const round = (value: number): number => Math.round(value * 10_000) / 10_000;

const VERDICTS = {
  qualified: "Qualified",
  disqualified: "Not a fit",
  not_enough_data: "Not enough",
  active: "Going on",
  abandoned: "Said nothing",
  processed: "Evaluated",
  error: "Not evaluated",
};
const ARRIVALS = { delivered: "Delivered", under_way: "Under way", failed: "Failed" };

function sessionsOn(world: MadeWorld, page: ReadPage, comparison: Comparison, search = {}): void {
  const found = foundOf(world, search).slice(0, 50);
  const rows = tableIn(page, "Webhook");
  const answered = (key: string): number => found.filter(({ answers }) => key in answers).length;
  const columns = QUESTIONS.toSorted((a, b) => answered(b) - answered(a));
  comparison.equal(
    "sessions",
    rows.map((cells) => [...cells.slice(0, 5), cells.at(-1)]),
    found.map((one) => [
      one.at.toISOString(),
      [
        one.name ?? one.email ?? "No name given",
        ...(one.name && one.email ? [one.email] : []),
      ].join(" "),
      `${world.accounts[one.agent.account]!.name} ${one.agent.slug} v${one.version}`,
      one.durationSecs === undefined ? "" : length(one.durationSecs),
      VERDICTS[one.verdicts.at(-1) ?? one.status],
      ARRIVALS[arrivalOf(one)!] ?? "",
    ]),
  );
  comparison.equal(
    "answers",
    rows.map((cells) => cells.slice(5, -1).toSorted().join()),
    found.map(({ answers }) =>
      columns
        .map((key) => answers[key] ?? "")
        .toSorted()
        .join(),
    ),
  );
  comparison.equal("shown", page.foot, `${found.length} shown`);
}

/** What the last step of a session says. */
const STEPS = {
  failed: "Not delivered",
  delivered: "arrived",
  under_way: "under way",
  none: "nothing sent",
};

function sessionOn(session: MadeSession, page: ReadPage, comparison: Comparison): void {
  const { name, email, verdicts, costMicros, judgedMicros, durationSecs, mode } = session;
  const facts = new Map(page.facts);
  comparison.equal("name", page.title, name ?? email ?? "No name given");
  comparison.equal(
    "turns",
    page.said,
    session.turns.map(({ content }) => content),
  );
  if (costMicros > 0) {
    comparison.equal(
      "cost",
      [facts.get("Talking"), facts.get("Evaluating")?.split(" ")[0]],
      [money(costMicros - judgedMicros), money(judgedMicros)],
    );
  }
  if (durationSecs !== undefined) {
    const shown = facts.get("Length") ?? "";
    comparison.equal("length", shown.startsWith(`${length(durationSecs)} by ${mode}`), true);
  }
  const verdict = verdicts.at(-1);
  comparison.equal(
    "steps",
    [
      page.steps.length,
      page.steps[5]?.includes(verdict ? VERDICTS[verdict].toLowerCase() : "none"),
      page.steps[6]?.includes(STEPS[arrivalOf(session) ?? "none"]),
    ],
    [7, true, true],
  );
  const answers = { ...session.answers, ...session.insights };
  const wrong = Object.entries(answers).filter(
    ([key, value]) => !facts.get(titleOf(key))?.startsWith(value),
  );
  comparison.equal("findings", wrong, []);
}

const titleOf = (key: string): string =>
  key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ");

const STATES = {
  waiting: "Waiting",
  running: "Being sent",
  delivered: "Delivered",
  exhausted: "Failed",
  orphaned: "Given up",
  cancelled: "Cancelled",
};

function eventsIn(page: ReadPage): string[][] {
  return tableIn(page, "Tries").map(([at, event, state, , tries, due]) => [
    at!,
    /delivery (\d+)/.exec(event!)?.[1] ?? "",
    state!,
    tries!,
    due!,
  ]);
}

function eventsOf(world: MadeWorld, choice: { endpoint?: string }, most: number): string[][] {
  return deliveriesOf(world, choice)
    .slice(0, most)
    .map(({ delivery: { id, at, state, attempts, dueAt } }) => [
      at.toISOString(),
      String(id),
      STATES[state],
      `${attempts.length} of 3`,
      state !== "waiting" ? "" : dueAt.getTime() < Date.now() ? "due" : dueAt.toISOString(),
    ]);
}

function deliveriesOn(
  world: MadeWorld,
  page: ReadPage,
  nowMs: number,
  comparison: Comparison,
  opened: ReturnType<typeof deliveriesOf>[number] | undefined,
): void {
  const health = world.endpoints.map(({ id }) => healthOf(world, id, nowMs));
  const sum = (part: "failed" | "waiting"): string =>
    number(health.reduce((total, one) => total + one[part], 0));
  comparison.equal("header", page.beside, `${sum("failed")} failed, ${sum("waiting")} waiting`);
  comparison.equal(
    "receivers",
    sorted(tableIn(page, "Taken").map((cells) => cells.slice(3, 6))),
    sorted(
      health.map((one) => [
        one.last_finished > 0 ? `${one.last_delivered} of ${one.last_finished}` : "",
        number(one.waiting),
        number(one.failed),
      ]),
    ),
  );
  comparison.equal("events", eventsIn(page), eventsOf(world, {}, 50));
  const edges = world.accounts
    .flatMap((_, account) => edgeOf(world, account) ?? [])
    .filter(({ held, session }) => held > 0 || session.waiting!.until.getTime() < nowMs);
  const behind = page.notices.map((text) => /([\d,]+) finished/.exec(text)?.[1]);
  comparison.equal(
    "edges",
    behind,
    edges.map(({ held }) => number(held)),
  );
  if (opened !== undefined) {
    const tries = opened.delivery.attempts.map(({ tookMs }) => `${number(tookMs)} ms`);
    comparison.equal(
      "attempts",
      tries.filter((took) => !page.opened.includes(took)),
      [],
    );
  }
}

function accountsOn(world: MadeWorld, page: ReadPage, nowMs: number, comparison: Comparison): void {
  comparison.equal("number", page.beside, number(world.accounts.length));
  comparison.equal(
    "accounts",
    tableIn(page, "Not arrived"),
    world.accounts.map(({ name, clientId }, account) => {
      const own = world.endpoints.filter((one) => one.account === account);
      const failed = own.reduce((sum, { id }) => sum + healthOf(world, id, nowMs).failed, 0);
      const agents = world.agents.filter((one) => one.account === account);
      return [name, clientId, ...[agents.length, own.length, failed].map(number)];
    }),
  );
}
