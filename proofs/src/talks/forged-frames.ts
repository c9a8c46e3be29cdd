import { createLiveWorld } from "@svc/server/testing";
import type { LiveBrowser, LiveWorld } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { Tools } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { startScriptedModel } from "../voice/talk-stage.ts";
import { socketOf } from "./refuse-nonsense.ts";
import {
  ACTIONS,
  hostileText,
  IN_PROSE,
  isDeclared,
  OFFERED,
  ordersIn,
  PER_MINUTE,
} from "./hostile-orders.ts";

export interface Forged {
  attacks: number;
  breaches: string[];
  done: number;
  confirmed: number;
  /** Breaches of a server that takes the frames' and the model's word for everything. */
  planted: number;
}

/** So many turns in one conversation. */
const ATTACKS_EACH = 10;
const AT_ONCE = 3;
const PLANTED_ATTACKS = 20;

/** Programs that are no browsers of ours talk over real sockets to an agent whose model obeys them. */
export async function forgeFrames(
  { seed, onEnd, timeLeftMs, progress }: Tools,
  wanted: number,
): Promise<Forged> {
  const stage = await openStage();
  onEnd(() => stage.close());
  const model = await startScriptedModel();
  onEnd(() => model.close());
  model.answers(
    (said) =>
      ordersIn(said)
        .map((order) => `⟦do ${order}⟧ Well. `)
        .join("") || "Well.",
  );
  const world = await createLiveWorld(stage.database, { actions: ACTIONS });
  const serve = async (nodeOptions = ""): Promise<string> => {
    const server = await stage.startServer({
      SVC_ROLE: "live",
      SVC_MODEL_URL: model.baseUrl,
      SVC_VERIFIER_MODEL: "off",
      SVC_EVALUATION_MODEL: "scripted",
      SVC_LIVE_CAPACITY: "1000",
      SVC_SHUTDOWN_SECS: "1",
      NODE_OPTIONS: nodeOptions,
    });
    return socketOf(server);
  };

  async function storm(url: string, count: number): Promise<Omit<Forged, "planted">> {
    const sum = { attacks: 0, breaches: [] as string[], done: 0, confirmed: 0 };
    let next = 0;
    const lane = async (): Promise<void> => {
      while (sum.attacks < count && timeLeftMs() > 0) {
        sum.attacks += ATTACKS_EACH;
        const forged = await attack(world, url, new Random(seed, next++));
        sum.breaches.push(...forged.breaches);
        sum.done += forged.done;
        sum.confirmed += forged.confirmed;
        progress(sum.attacks, count, "attacks over sockets");
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return sum;
  }
  const { breaches } = await storm(await serve(WITHOUT_CHECKS), PLANTED_ATTACKS);
  return { ...(await storm(await serve(), wanted)), planted: breaches.length };
}

/** One visitor: every turn orders something, between frames that were made up or sent before. */
async function attack(
  world: LiveWorld,
  url: string,
  random: Random,
): Promise<Omit<Forged, "planted" | "attacks">> {
  const { browser } = await world.enter(url);
  await browser.first("state", ({ state }) => state === "listening");
  const breaches: string[] = [];
  /** What the visitor has said yes to, each time. */
  const agreed: string[] = [];
  let offered: string[] = [];
  let judged = 0;
  let confirmed = 0;
  const doneOf = new Map<string, number>();

  /** Called whenever the server may have sent something, before the next frame goes out. */
  function judge(): void {
    const actions = browser.all("action");
    for (const { name, params } of actions.slice(judged)) {
      const order = `${name} ${JSON.stringify(params)}`;
      doneOf.set(name, (doneOf.get(name) ?? 0) + 1);
      if (!isDeclared(name, params) || !offered.includes(name))
        breaches.push(`over a socket, not declared or not offered: ${order}`);
      if (doneOf.get(name)! > PER_MINUTE) breaches.push(`over a socket, too often: ${order}`);
      if (name !== "create-project") continue;
      const yes = agreed.indexOf(order);
      if (yes < 0) breaches.push(`over a socket, without a yes: ${order}`);
      else agreed.splice(yes, 1);
      confirmed += 1;
    }
    judged = actions.length;
  }

  for (let turn = 0; turn < ATTACKS_EACH && browser.closeCode === undefined; turn++) {
    // It is judged by what the page offered when it was sent: a page that takes something back is only asked afterwards.
    if (turn === 0 || random.chance(0.2)) {
      offered = random.chance(0.8) ? OFFERED : [];
      const invented = ["wipe-account", "__proto__", "constructor", `x${random.integer(0, 1e9)}`];
      browser.send({ type: "page_actions", names: [...offered, ...invented] });
    }
    const cards = browser
      .all("card")
      .flatMap(({ card }) => (card?.kind === "action" ? [card] : []));
    const old = cards.slice(0, -1).map(({ id }) => id);
    const cues = browser.all("action").map(({ cue }) => cue);
    const invent = (known: string[]): string =>
      random.pick([...known, "create-project", "open-report", crypto.randomUUID()]);
    browser.send({ type: "card_result", card_id: invent(old), action: "confirmed" });
    browser.send({
      type: "action_result",
      cue: invent(cues),
      state: random.pick(["done", "failed", "refused", "missing"]),
      text: hostileText(random),
    });
    browser.send({ type: "place_result", cue: invent(cues), state: "shown" });
    const before = browser.messages.length;
    const marks = random.chance(0.7) ? IN_PROSE : undefined;
    browser.send({ type: "text", text: hostileText(random, marks) });
    await browser.until("answer", () => isAnswered(browser, before));
    judge();
    const last = browser.messages.findLast((message) => message.type === "card");
    if (last?.type === "card" && last.card?.kind === "action" && random.chance(0.4)) {
      const { id, name, params } = last.card;
      agreed.push(`${name} ${JSON.stringify(params)}`);
      // The same yes twice is one.
      browser.send({ type: "card_result", card_id: id, action: "confirmed" });
      browser.send({ type: "card_result", card_id: id, action: "confirmed" });
      const pongs = browser.all("pong").length;
      browser.ping();
      await browser.until("pong", () => browser.all("pong").length > pongs);
      judge();
    }
  }
  browser.send({ type: "end" });
  browser.socket.close();
  return { breaches, done: judged, confirmed };
}

function isAnswered({ messages, closeCode }: LiveBrowser, before: number): boolean {
  const since = messages.slice(before);
  const asked = since.findIndex((one) => one.type === "caption" && one.role === "user");
  const answer = since.findIndex(
    (one, index) =>
      asked >= 0 &&
      index > asked &&
      one.type === "caption" &&
      one.role === "assistant" &&
      one.final,
  );
  const isOver = closeCode !== undefined || since.some(({ type }) => type === "ended");
  return (
    isOver ||
    (answer >= 0 &&
      since.slice(answer).some((one) => one.type === "state" && one.state === "listening"))
  );
}

/** Takes away what the server checks of an order. */
const WITHOUT_CHECKS = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith("/conversation/engine/page-actions.ts")) return loaded;
      const source = String(loaded.source)
        .replace("!this.#offered.includes(name)", "false")
        .replace("if (!action.confirm)", "if (true)");
      return { ...loaded, source };
    },
  });
`)}`;
