import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createLiveWorld, LiveBrowser } from "@svc/server/testing";
import type { LiveWorld } from "@svc/server/testing";
import type { Outcome, Tools } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";

/** In millionths of the currency, as are all costs here; prices are for a token. */
const SESSION_CAP = 200_000;
const DAY_CAP = 4_000_000;
const PRICE = { input: 1, output: 4 };
const AT_ONCE = 10;
const CONTROLS = 3;

/** What a visitor does to have models work for nothing. */
const STYLES = ["cut", "flood", "reconnect", "switch"] as const;
type Style = (typeof STYLES)[number];

/** Visitors who only want to cost, against a model that bills every request from its arrival. */
export async function capsAreHard({
  sized,
  say,
  progress,
  timeLeftMs,
  onEnd,
}: Tools): Promise<Outcome> {
  const total = sized({ quick: 50, full: 5_000 });
  const stage = await openStage();
  onEnd(() => stage.close());
  const bills = await startBilling();
  onEnd(() => bills.close());
  const world = await createLiveWorld(stage.database);
  const server = await stage.startServer({
    SVC_ROLE: "live",
    SVC_MODEL_URL: bills.url,
    SVC_EVALUATION_MODEL: "rehearsal",
    SVC_MODEL_PRICES: `rehearsal=${PRICE.input * 1e6}/${PRICE.output * 1e6}`,
    SVC_LIVE_CAPACITY: "1000",
    SVC_SHUTDOWN_SECS: "4",
  });
  const url = `${server.url.replace("http", "ws")}/sdk/v1/live`;
  const setLimits = (limits: object): Promise<unknown> =>
    stage.database.pool.query("UPDATE accounts SET limits = $1", [JSON.stringify(limits)]);
  let done = 0;
  const attack = async (name: string, count: number, atOnce: number, styles: readonly Style[]) => {
    const names = Array.from({ length: count }, (_, index) => `${name}-${index}-`);
    const waiting = names.map((one, index) => ({ one, style: styles[index % styles.length]! }));
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (timeLeftMs() < 15_000) return;
        await exploit(world, url, next.one, next.style);
        progress((done += 1), total + 2 * AT_ONCE + CONTROLS, "visitors");
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return names.map((one) => bills.of(one)).filter((micros) => micros > 0);
  };

  await setLimits({});
  const unlimited = await attack("free", CONTROLS, CONTROLS, ["cut"]);
  await setLimits({ cost_micros_per_session: SESSION_CAP });
  const capped = await attack("capped", total, AT_ONCE, STYLES);
  await setLimits({ daily_cost_micros_per_agent: (await dayCost(world)) + DAY_CAP });
  const sharing = await attack("sharing", 2 * AT_ONCE, 2 * AT_ONCE, STYLES);

  const dayBill = sharing.reduce((sum, micros) => sum + micros, 0);
  const most = {
    session: SESSION_CAP + bills.largest,
    day: DAY_CAP + sharing.length * bills.largest,
  };
  const control = Math.max(...unlimited);
  say(`${bills.requests} requests, the largest cost ${bills.largest}`);
  say(`control, without a cap: up to ${control} a session`);
  say(`cap ${SESSION_CAP} a session: up to ${Math.max(...capped)}, ${capped.length} sessions`);
  say(`cap ${DAY_CAP} a day: ${dayBill} for ${sharing.length} sessions at once`);
  const over = capped.filter((micros) => micros > most.session).length;
  return {
    figure: `${over} of ${capped.length} sessions above their cap and one request; the day at ${(dayBill / DAY_CAP).toFixed(2)} of its cap`,
    ok:
      over === 0 &&
      capped.length > 0 &&
      dayBill > 0 &&
      dayBill <= most.day &&
      control > most.session,
    size: `${capped.length} visitors`,
  };
}

async function dayCost({ db, customer }: LiveWorld): Promise<number> {
  const day = await db
    .withTables<{ agent_days: { agent_id: string; cost_micros: string } }>()
    .selectFrom("agent_days")
    .select(({ fn }) => fn.sum<string>("cost_micros").as("micros"))
    .where("agent_id", "=", customer.agent.agentId)
    .executeTakeFirst();
  return Number(day?.micros ?? 0);
}

/** Ends with the session, or when the visitor has tried for long. */
async function exploit(world: LiveWorld, url: string, name: string, style: Style): Promise<void> {
  const { id, ticket } = await world.visit();
  let browser = await LiveBrowser.open(url);
  let { resume_token: token } = await browser.hello(id, { ticket });
  const isOver = (): boolean => browser.all("ended").length > 0;
  for (let times = 0; times < 120 && !isOver(); times += 1) {
    const size = style === "flood" ? 3_900 : 900;
    const text = `${name} ${"and what does it cost then? ".repeat(size / 28)}`;
    if (style === "switch") browser.send({ type: "switch", mode: times % 2 ? "text" : "voice" });
    browser.send({ type: "text", text });
    await delay(style === "flood" ? 20 : 120);
    if (isOver()) break;
    if (style === "reconnect" && times % 3 === 2) browser.socket.close();
    if (style !== "reconnect" && browser.closeCode === undefined) continue;
    if (browser.closeCode === undefined && times % 3 !== 2) continue;
    await browser.closed();
    browser = await LiveBrowser.open(url);
    const welcome = await browser.hello(id, { resume_token: token }).catch(() => undefined);
    if (welcome === undefined) return;
    token = welcome.resume_token;
  }
  browser.socket.close();
}

interface Billing {
  url: string;
  requests: number;
  largest: number;
  /** What the requests cost that name a visitor. */
  of(name: string): number;
  close(): Promise<void>;
}

/** A provider that bills what arrives, whoever still waits for the answer, and has little to say: the talks are not judged. */
async function startBilling(): Promise<Billing> {
  const bills = new Map<string, number>();
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      if (request.method !== "POST") return response.end(JSON.stringify({ data: [] }));
      const prompt_tokens = bill(body);
      await delay(400);
      const said = { role: "assistant", content: "Ok." };
      const usage = { prompt_tokens, completion_tokens: 1, total_tokens: prompt_tokens + 1 };
      const answer = { id: "1", created: 1, model: "rehearsal" };
      if (!body.includes('"stream":true')) {
        const choices = [{ index: 0, message: said, finish_reason: "stop" }];
        return response.end(
          JSON.stringify({ ...answer, object: "chat.completion", choices, usage }),
        );
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const object = "chat.completion.chunk";
      const choices = [{ index: 0, delta: said, finish_reason: "stop" }];
      for (const chunk of [{ choices }, { choices: [], usage }])
        response.write(`data: ${JSON.stringify({ ...answer, object, ...chunk })}\n\n`);
      return response.end("data: [DONE]\n\n");
    })().catch(() => response.destroy());
  });
  const bill = (body: string): number => {
    const { messages } = JSON.parse(body) as { messages: { content: string | null }[] };
    const said = messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    const name = /\b(?:free|capped|sharing)-\d+-/.exec(body)?.[0] ?? "nobody";
    const tokens = Math.ceil(said / 4);
    const micros = tokens * PRICE.input + PRICE.output;
    billing.requests += 1;
    billing.largest = Math.max(billing.largest, micros);
    bills.set(name, (bills.get(name) ?? 0) + micros);
    return tokens;
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const billing: Billing = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: 0,
    largest: 0,
    of: (name) => Math.ceil(bills.get(name) ?? 0),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return billing;
}
