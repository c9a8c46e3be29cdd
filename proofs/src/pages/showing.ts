import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSpeech } from "@svc/rehearsal";
import {
  addCustomer,
  applyFolder,
  changeAccount,
  NO_START_LIMITS,
  speechAt,
} from "@svc/server/testing";
import type { AgentMode } from "@svc/contract/types";
import type { WholeProduct } from "../product/whole-product.ts";
import { startScriptedModel } from "../voice/talk-stage.ts";
import { APPS } from "./apps.ts";

/** A process of the service whose model does what it is told to, and agents with places and an action. */
export interface Showing {
  url: string;
  /** It types. */
  agentId: string;
  /** It speaks: a tone for each word. */
  talkingAgentId: string;
}

/** A word that nobody says otherwise: what belongs to it happens when it is read. */
export const CUE_WORD = "lookhere";

/** The beginning of a long answer: it is cut before its end, which shows something. */
export const LONG_WORD = "patience";

export async function openShowing(
  { stage, serve }: WholeProduct,
  onEnd: (clean: () => unknown) => void,
): Promise<Showing> {
  const model = await startScriptedModel();
  onEnd(() => model.close());
  model.answers(answer);
  const speech = await startSpeech();
  onEnd(() => speech.close());
  const { url } = await serve({
    ...speechAt(speech.url),
    SVC_MODEL_URL: model.baseUrl,
    SVC_VERIFIER_MODEL: "off",
    SVC_LIVE_CAPACITY: "500",
  });
  const customer = await addCustomer(stage.database.db);
  await changeAccount(stage.database.db, customer, { limits: NO_START_LIMITS });
  const place = await mkdtemp(join(tmpdir(), "svc-showing-"));
  onEnd(() => rm(place, { recursive: true }));
  async function apply(name: string, mode: AgentMode): Promise<string> {
    const folder = join(place, name);
    await mkdir(folder);
    await writeFile(
      join(folder, "agent.yaml"),
      JSON.stringify({ ...AGENT, modes: [...new Set([mode, "text"])] }),
    );
    return (await applyFolder(stage.database.db, customer.account.id, folder)).agentId;
  }
  return {
    url,
    agentId: await apply("showing", "text"),
    talkingAgentId: await apply("talking", "voice"),
  };
}

const AGENT = {
  name: "Linden",
  languages: { en: null, de: null },
  places: {
    host: { selector: "h1.own", caption: "The page's own title" },
    ...Object.fromEntries(APPS.flatMap(({ places }) => Object.entries(places))),
  },
  actions: { mark: { describe: "Marks the page.", confirm: false, per_minute: 60 } },
};

/** Behind so many words of an answer comes the one that something belongs to. */
export const WORDS_BEFORE = 2;

/**
 * By what the visitor said: `show plans`, `do mark`. After `wait` it comes at the end of a long answer, after `after` so late
 * that its word is long over. A number makes the first word so much longer.
 */
function answer(said: string): string {
  const [, when, order, name, longer = "1"] =
    /\b(?:(wait|after) )?(show|do) (\w+)(?: (\d+))?/.exec(said) ?? [];
  if (order === undefined) return "Good.";
  const direction = `⟦${order} ${name}⟧`;
  const long = "It takes a while until it is there. ".repeat(9);
  if (when === "wait")
    return `Have ${LONG_WORD} with me. ${long}${direction} ${CUE_WORD} you see it.`;
  const first = `W${"e".repeat(Number(longer))}ll then.`;
  if (when === "after") return `${first} ${CUE_WORD} you see it. ${long}${direction} Now.`;
  return `${first} ${direction} ${CUE_WORD} you see it.`;
}
