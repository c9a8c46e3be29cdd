import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import english from "@svc/contract/words/en.json" with { type: "json" };
import type { AgentFacts, Words } from "@svc/contract/types";
import { applyFolder } from "@svc/server/testing";
import { openTalkingSite } from "../browser-voice/talking-site.ts";
import type { Browser } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { WholeProduct } from "../product/whole-product.ts";

const DRAFTS = resolve(import.meta.dirname, "../../../rehearsal/scripts/words");
/** The last is the logo of a brand that has none. */
const OWN = ["Ada", "Acme", "Ada · Acme", "ada@example.com", "A"];
const SAID = "Please send me something by email.";

/** A typed demo in a language that is not built in, from the notice to the goodbye. Returns each text that is not of that language. */
export async function walkInLanguage(
  onEnd: (clean: () => unknown) => void,
  product: WholeProduct,
  browser: Browser,
  language: string,
): Promise<{ faults: string[]; texts: number; planted: number }> {
  const { server, stage, customer } = product;
  const folder = await agentFolder(onEnd, language);
  const { agentId } = await applyFolder(stage.database.db, customer.account.id, folder);
  const facts = (await (
    await fetch(`${server.url}/sdk/v1/agents/${agentId}`)
  ).json()) as AgentFacts;
  const [{ words_url, notice } = { notice: "" }] = facts.languages;
  const words = (await (await fetch(words_url ?? "")).json()) as Words;
  const page = await browser.newPage();
  const call = inCall(page);
  const site = await openTalkingSite(onEnd, { server, agentId }, { language });
  await site.enter(page);
  const seen: string[] = [notice];
  const look = async (): Promise<void> => void seen.push(...(await page.run(textsShown)));
  await call.click("#start");
  await call.see("dialog button", words.call.cancel);
  await look();
  await call.click("dialog button", words.call.type);
  await call.see("li.assistant");
  // Without a greeting of its own the agent says ours.
  seen.push(...(await call.texts("li.assistant .said")));
  await call.say(SAID);
  await call.see("form.card");
  await look();
  await call.click("form.card input");
  await page.type("ada@example.com");
  await page.press("Enter");
  await call.see("li.note");
  await look();
  await call.click("button.end");
  await call.see("h2", words.cards.title);
  await look();
  await page.close();
  const shown = [...new Set(seen)].filter((text) => text !== SAID);
  const [faults, planted] = [shown, Object.values(english.call)].map((texts) =>
    texts.filter((text) => !isIn(text, words)),
  );
  return { faults: faults!, texts: shown.length, planted: planted!.length };
}

/** As the guide says, with the draft that the stand-in gives, reviewed. */
async function agentFolder(
  onEnd: (clean: () => unknown) => void,
  language: string,
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "svc-language-"));
  onEnd(() => rm(root, { recursive: true }));
  const folder = join(root, `in-${language}`);
  await mkdir(join(folder, "languages"), { recursive: true });
  const draft = await readFile(join(DRAFTS, `${language}.yaml`), "utf8");
  await writeFile(join(folder, `languages/${language}.yaml`), `reviewed: true\n${draft}`);
  const yaml = `name: Ada\nbrand: { name: Acme }\nmodes: [text]\nlanguages: { ${language}: }\n`;
  await writeFile(join(folder, "agent.yaml"), yaml);
  return folder;
}

/** Whether a text is one of the catalogue's, with any values in its placeholders, or the owner's. */
function isIn(text: string, words: Words): boolean {
  return OWN.includes(text) || textsOf(words).some((one) => templateOf(one).test(text));
}

function textsOf(value: unknown): string[] {
  return typeof value === "string" ? [value] : Object.values(value as object).flatMap(textsOf);
}

function templateOf(text: string): RegExp {
  const parts = text
    .split(/\{[^}]*\}/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`, "u");
}

/** Runs in the page: every text and label of the call that holds letters, but for what was said in it. */
function textsShown(): string[] {
  const texts: string[] = [];
  const read = (node: Element | ShadowRoot): void => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) texts.push(child.textContent ?? "");
      if (!(child instanceof Element) || child.matches("style, script, .said, [aria-live]"))
        continue;
      for (const name of ["aria-label", "placeholder", "title", "alt"])
        texts.push(child.getAttribute(name) ?? "");
      read(child);
    }
  };
  for (const { shadowRoot } of document.querySelectorAll("*")) if (shadowRoot) read(shadowRoot);
  return texts.map((text) => text.trim().replace(/:$/, "")).filter((text) => /\p{L}/u.test(text));
}
