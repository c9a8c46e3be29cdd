import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCustomer, applyFolder, changeAccount, NO_START_LIMITS } from "@svc/server/testing";
import type { WholeProduct } from "../product/whole-product.ts";
import { startScriptedModel } from "../voice/talk-stage.ts";
import { APPS } from "./apps.ts";

/** A process of the service whose model does what it is told to, and an agent with places and an action. */
export interface Showing {
  url: string;
  agentId: string;
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
  const { url } = await serve({
    SVC_MODEL_URL: model.baseUrl,
    SVC_VERIFIER_MODEL: "off",
    SVC_LIVE_CAPACITY: "500",
  });
  const customer = await addCustomer(stage.database.db);
  await changeAccount(stage.database.db, customer, { limits: NO_START_LIMITS });
  const place = await mkdtemp(join(tmpdir(), "svc-showing-"));
  onEnd(() => rm(place, { recursive: true }));
  const folder = join(place, "showing");
  await mkdir(folder);
  await writeFile(join(folder, "agent.yaml"), JSON.stringify(AGENT));
  const { agentId } = await applyFolder(stage.database.db, customer.account.id, folder);
  return { url, agentId };
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

/** By what the visitor said: `show plans`, `do mark`, `wait plans`. */
function answer(said: string): string {
  const [, order, name] = /\b(show|do|wait) (\w+)/.exec(said) ?? [];
  if (order === undefined) return "Good.";
  if (order !== "wait") return `Well then. ⟦${order} ${name}⟧ ${CUE_WORD} you see it.`;
  const long = `Have ${LONG_WORD} with me. ${"It takes a while until it is there. ".repeat(9)}`;
  return `${long}⟦show ${name}⟧ ${CUE_WORD} you see it.`;
}
