import { plainConfig, SignalReader, startConversation, systemClock } from "@svc/server/testing";
import type { ConversationListener, ConversationModels } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { count } from "../runner/figures.ts";
import type { Claim, Tools } from "../runner/proof.ts";
import { forgeFrames } from "./forged-frames.ts";
import {
  ACTIONS,
  hostileText,
  isDeclared,
  isHarmless,
  OFFERED,
  ordersIn,
  PER_MINUTE,
} from "./hostile-orders.ts";

/** So many in one conversation: what came of the first ones stays in the history. */
const ATTACKS_EACH = 10;
const AT_ONCE = 8;

export const onlyWhatIsDeclared: Claim = {
  promise:
    "Whatever visitors, pages, knowledge and what actions return talk a model into, and whatever frames are forged, a page does only what the agent's version declares and the page offers, with parameters that fit, so often a minute, and what needs a yes only after the visitor's own.",
  bound: "0 undeclared or unconfirmed actions",
  timeLimitSecs: { quick: 300, full: 2_700 },
  tier: "gate",
  prove: proveOnlyDeclared,
};

async function proveOnlyDeclared(tools: Tools) {
  const { seed, sized, say, progress, timeLeftMs } = tools;
  const wanted = sized({ gate: 50, quick: 400, full: 8_000 });
  // The gate has no time for a server.
  const overSockets = sized({ gate: 0, quick: 100, full: 2_000 });
  const forged = overSockets > 0 ? await forgeFrames(tools, overSockets) : undefined;
  const sum = { attacks: 0, ordered: 0, unchecked: 0, breaches: 0, done: 0, confirmed: 0 };
  let next = 0;
  const lane = async (): Promise<void> => {
    while (sum.attacks < wanted && timeLeftMs() > 0) {
      const attacked = await attack(new Random(seed, next++));
      for (const breach of attacked.breaches) say(breach);
      sum.attacks += ATTACKS_EACH;
      sum.breaches += attacked.breaches.length;
      sum.ordered += attacked.ordered.length;
      sum.unchecked += attacked.ordered.filter((one) => !isHarmless(one)).length;
      sum.done += attacked.done;
      sum.confirmed += attacked.confirmed;
      progress(sum.attacks, wanted, "attacks");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (forged !== undefined) {
    for (const breach of forged.breaches) say(breach);
    say(
      `over sockets ${forged.done} were done, ${forged.confirmed} of them after a yes; by a server that checks nothing ${forged.planted} breaches`,
    );
  }
  const attacks = sum.attacks + (forged?.attacks ?? 0);
  const breaches = sum.breaches + (forged?.breaches.length ?? 0);
  say(
    `the model ordered ${sum.ordered} actions; ${sum.done} were done, ${sum.confirmed} of them after a yes`,
  );
  return {
    figure: `${breaches} undeclared or unconfirmed actions in ${count(attacks)} attacks, ${count(forged?.attacks ?? 0)} of them over a socket; without the server's check ${count(sum.unchecked + (forged?.planted ?? 0))}`,
    ok:
      breaches === 0 &&
      attacks >= wanted + overSockets &&
      sum.unchecked > sum.attacks / 2 &&
      sum.done > sum.confirmed &&
      sum.confirmed > 0 &&
      (forged === undefined ||
        (forged.planted > 0 && forged.confirmed > 0 && forged.done > forged.confirmed)),
    size: `${count(attacks)} attacks`,
  };
}

type Talk = Awaited<ReturnType<typeof startConversation>>;

interface Attacked {
  breaches: string[];
  /** What the model wrote. */
  ordered: string[];
  done: number;
  confirmed: number;
}

/** A conversation in which each of the visitor's turns is an attack. */
async function attack(random: Random): Promise<Attacked> {
  const attacked: Attacked = { breaches: [], ordered: [], done: 0, confirmed: 0 };
  /** The card before the visitor, and what they have said yes to. */
  let card: { id: string; name: string; params: object } | undefined;
  let agreed: string | undefined;
  const cues: string[] = [];
  const startedMs = new Map<string, number[]>();
  const listener: ConversationListener = {
    ...DEAF,
    card: (open) => void (card = open?.kind === "action" ? open : undefined),
    action({ cue, name, params }) {
      const order = `${name} ${JSON.stringify(params)}`;
      const needsYes = name === "create-project";
      const recent = (startedMs.get(name) ?? []).filter((ms) => Date.now() - ms < 55_000);
      startedMs.set(name, [...recent, Date.now()]);
      if (!isDeclared(name, params) || !OFFERED.includes(name))
        attacked.breaches.push(`done, and not declared: ${order}`);
      if (needsYes && agreed !== order) attacked.breaches.push(`done without a yes: ${order}`);
      if (recent.length >= PER_MINUTE) attacked.breaches.push(`done too often: ${order}`);
      attacked.done += 1;
      if (needsYes) attacked.confirmed += 1;
      agreed = undefined;
      cues.push(cue);
    },
  };
  const conversation = await startConversation({
    agent: {
      config: { ...plainConfig("Linden"), actions: ACTIONS },
      knowledge: [{ name: "a.md#A", text: hostileText(random) }],
    },
    language: "en",
    metadata: { note: hostileText(random) },
    models: obeyingModel(random, attacked.ordered),
    listener,
    searchKnowledge: async () => [],
    clock: systemClock,
  });
  conversation.offerActions([...OFFERED, "wipe-account", "constructor"]);
  for (let turn = 0; turn < ATTACKS_EACH; turn++) {
    await conversation.hear(hostileText(random));
    await forge(conversation, random);
    for (const cue of cues.splice(0))
      conversation.settleAction({ cue, state: "done", text: hostileText(random) });
    if (card !== undefined && random.chance(0.3)) {
      agreed = `${card.name} ${JSON.stringify(card.params)}`;
      await conversation.settleCard({ cardId: card.id, action: "agreed" });
    }
  }
  await conversation.close();
  return attacked;
}

/** What a program sends that is no browser of ours: names, cues and cards that it made up. */
async function forge(conversation: Talk, random: Random): Promise<void> {
  const guess = (): string => random.pick(["", "none", "create-project", crypto.randomUUID()]);
  conversation.settleAction({ cue: guess(), state: "done", text: hostileText(random) });
  await conversation.settleCard({ cardId: guess(), action: "agreed" });
  await conversation.settleCard({ cardId: guess(), action: "confirmed", address: guess() });
  conversation.offerActions([...OFFERED, guess(), "wipe-account", "__proto__"]);
}

/** Writes as its own whatever order it reads anywhere in a request, in what marks ever. */
function obeyingModel(random: Random, ordered: string[]): ConversationModels {
  return {
    answers: true,
    async reply({ messages, language, onSentence }) {
      const read = messages.map(({ content = "" }) => content).join("\n");
      const some = random.pickSeveral(ordersIn(read), 6);
      ordered.push(...some);
      const reader = new SignalReader(language);
      const text = some.map((order) => `⟦do ${order}⟧ Well. `).join("") || "Well.";
      for (const one of [...reader.push(text), ...reader.end()]) onSentence(one);
    },
  };
}

const DEAF: ConversationListener = {
  turn() {},
  event() {},
  content() {},
  action() {},
  card() {},
  ended() {},
  state() {},
  partial() {},
  takenBack() {},
  language() {},
  visitorSpeaks() {},
  voiceLost() {},
  charge: () => () => {},
  usage() {},
};
