import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loaderSnippet } from "@svc/server/testing";
import { ENGINES } from "../browsers/browser.ts";
import type { Browser, Page } from "../browsers/browser.ts";
import type { Outcome, Tools } from "../runner/proof.ts";
import { addHelpers, runIn } from "./in-page.ts";
import type { InPage } from "./in-page.ts";
import type { PageStage } from "./page-stage.ts";

/** What a sentence can see and do in its page, beside the SDK. */
export interface SdkPage extends InPage {
  /** What the SDK requested: addresses, the events that it counted, and the newest start. */
  sent: {
    all: string[];
    events: { event: string }[];
    start:
      | {
          metadata: Record<string, string>;
          preview_token?: string;
          challenge_solution?: string;
          without_call?: true;
        }
      | undefined;
  };
  warnings: string[];
  /** The service as the page meets it. `facts` replace some of the agent's. */
  service: { isDown: boolean; isFull: boolean; facts: object };
  /** Makes the browser say that its visitor has forbidden the microphone. */
  forbidMicrophone(): void;
  /** Presses a button of the call, once it is there and enabled. */
  press(text: string): Promise<void>;
  /** Presses Start. Returns the metadata that is sent then. */
  startedWith(): Promise<Record<string, string>>;
  /** Shows the widget, configured like this. Returns its shadow root. */
  show(config?: SvcWidgetConfig): ShadowRoot;
  /** Sends the form of the widget or the hero, with a value if one is given. */
  submit(value?: string): void;
  /** What that form says is wrong. */
  complaint(): string;
  /** The style of the button of the widget or the hero. */
  buttonStyle(): CSSStyleDeclaration;
}

type See = (inPage: SdkPage) => unknown;

export interface Sentence {
  /** How the SDK comes onto the page: by a script element, unless this says otherwise. */
  load?: "snippet" | "twice" | "v0";
  /** The agent that the page names: the example, unless this says otherwise. */
  agent?: "unknown" | "none" | "flooded";
  /** The page was opened by a preview link whose token works, or has expired. */
  preview?: "works" | "expired";
  /** The visitor's languages. */
  languages?: string[];
  /** Of the viewport. */
  width?: number;
  /** Runs in the page before the SDK loads. */
  before?: (inPage: SdkPage) => void;
  /** Runs in the page and returns true. A guide's sample is text, and must not throw. */
  see: See | string;
  /** Breaks the loaded SDK so that the sentence is not true any more. */
  broken?: () => void;
}

/** What the specification or the documentation says about the SDK, and how a page can see that it is true. */
export type Sentences = Record<string, See | Sentence>;

const GUIDES = join(import.meta.dirname, "../../../docs/guide");

/** Each sample of a guide runs as it stands. */
export function samplesOf(guide: string): Sentences {
  const samples = readFileSync(join(GUIDES, guide), "utf8").matchAll(/```js\n(.*?)```/gs);
  return Object.fromEntries(
    Array.from(samples, ([, see = ""], index) => [`sample ${index + 1} of ${guide} runs`, { see }]),
  );
}

/** Looks at every sentence in every engine, each on a page of its own. */
export async function seeSentences(
  { say, onEnd, timeLeftMs }: Tools,
  stage: PageStage,
  sentences: Sentences,
): Promise<Outcome> {
  const all = Object.entries(sentences).map(([says, told], index) => ({
    says,
    path: `/${index}`,
    ...(typeof told === "function" ? { see: told } : told),
  }));
  const pages = all.map((one) => [one.path, pageFor(one, stage)]);
  const url = await stage.openSite(onEnd, Object.fromEntries(pages));
  let tried = 0;
  let untrue = 0;

  async function seeAll(browser: Browser): Promise<void> {
    for (const [width, some] of Map.groupBy(all, (sentence) => sentence.width)) {
      const page = await browser.newPage(width === undefined ? {} : { width });
      for (const { says, path, see, preview } of some) {
        if (timeLeftMs() === 0) break;
        const token = preview === "works" ? stage.previewToken : "preview_expired";
        await page.goto(url + path + (preview === undefined ? "" : `#part&svc_preview=${token}`));
        const isTrue = await isSeen(page, see).catch(String);
        tried += 1;
        if (isTrue === true) continue;
        untrue += 1;
        say(`${browser.version}: not true: ${says} (${String(isTrue)})`);
      }
      await page.close();
    }
  }
  const browsers = await Promise.all(ENGINES.map((engine) => stage.browser(engine)));
  await Promise.all(browsers.map(seeAll));

  const page = await browsers[0]!.newPage();
  let unnoticed = 0;
  for (const { says, path, see, broken } of all) {
    if (broken === undefined) continue;
    await page.goto(url + path);
    if ((await isSeen(page, see, broken).catch(String)) !== true) continue;
    unnoticed += 1;
    say(`control: a broken SDK is not noticed: ${says}`);
  }
  await page.close();
  const engines = browsers.map(({ version }) => version);
  return {
    figure: `${untrue} of ${tried} sentences untrue in ${engines.join(", ")}, ${unnoticed} broken SDKs unnoticed`,
    ok: untrue === 0 && unnoticed === 0 && tried === all.length * ENGINES.length,
    engines,
  };
}

async function isSeen(page: Page, see: Sentence["see"], broken = (): void => {}): Promise<unknown> {
  await runIn(page, ({ until }: InPage) => until(() => globalThis.Svc?.version));
  await page.run(broken);
  return typeof see === "string"
    ? page.run<boolean>(`return (async () => { ${see}; return true; })();`)
    : runIn(page, see);
}

function pageFor(
  { load, agent, languages, before }: Sentence,
  { product: { server, customer, agentId }, floodedAgentId }: PageStage,
): string {
  const others = { unknown: "agent_aaaaaaaaaaaaaaaaaaaaaa", flooded: floodedAgentId, none: "" };
  const named = agent === undefined ? agentId : others[agent];
  const config = load === "v0" ? { clientId: customer.account.clientId } : { agentId: named };
  const src = `${server.url}/sdk/${load === "v0" ? "v0/" : ""}sdk.js`;
  const snippet = loaderSnippet(server.url, agentId);
  const script = {
    usual: `<script async id="svc-sdk" src="${src}"></script>`,
    v0: `<script async id="svc-sdk" src="${src}"></script>`,
    snippet: `${snippet}<script>(${callEarly.toString()})();</script>`,
    twice: `${snippet}${loaderSnippet(server.url, "agent_other")}<script src="${src}"></script>`,
  }[load ?? "usual"];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
    <script>
      ${agent === "none" ? "" : `window.SvcConfig = ${JSON.stringify(config)};`}
      ${languages === undefined ? "" : `Object.defineProperty(navigator, "languages", { value: ${JSON.stringify(languages)} });`}
      (${addHelpers.toString()})();
      (${watchSdk.toString()})(inPage);
      (${before?.toString() ?? "() => {}"})(inPage);
    </script>
    ${script}
  </head><body><p>A page</p><button>See a demo</button><div id="place" style="width:300px;height:360px"></div></body></html>`;
}

declare global {
  interface Window {
    /** What a page with the snippet asked for before the SDK had loaded. */
    early: { codes: Promise<string[]>; client: Promise<SvcEligibility>; ready: Promise<void> };
    startDemoEarly: SvcSDK["startDemo"];
  }
}

/** Runs in the page while nothing but the snippet's stand-in is there. */
function callEarly(): void {
  window.early = { codes: Svc.getLanguages(), client: Svc.checkClient(), ready: Svc.ready };
  window.startDemoEarly = Svc.startDemo;
}

/** Runs in the page: sees what the SDK requests and says, and lets a sentence change how the service answers. */
function watchSdk(inPage: SdkPage): void {
  // A call of the sentence before would go on here.
  sessionStorage.clear();
  localStorage.clear();
  const sent: SdkPage["sent"] = { all: [], events: [], start: undefined };
  const warnings: string[] = [];
  const service = { isDown: false, isFull: false, facts: {} };
  console.warn = (text: unknown) => warnings.push(String(text));
  const plainFetch = window.fetch;
  window.fetch = async (input, options) => {
    const address = new Request(input).url;
    sent.all.push(address);
    if (service.isDown) throw new TypeError("refused");
    if (options?.method === "POST" && address.includes("/sdk/v1/sessions?")) {
      sent.start = JSON.parse(options.body as string);
      if (service.isFull)
        return new Response('{"error":{"code":"at_capacity","message":""}}', { status: 429 });
    }
    const answer = await plainFetch(input, options);
    if (!/agents[/][^/]+$/.test(address) || Object.keys(service.facts).length === 0) return answer;
    return new Response(JSON.stringify({ ...(await answer.json()), ...service.facts }));
  };
  navigator.sendBeacon = (address, body) => {
    sent.all.push(String(address));
    sent.events.push(JSON.parse(body as string));
    return true;
  };
  const { until, dialog } = inPage;
  const entry = (): ParentNode => inPage.widget() ?? inPage.place;
  const more: Omit<SdkPage, keyof InPage> = {
    sent,
    warnings,
    service,
    forbidMicrophone() {
      const permissions = { query: async () => ({ state: "denied" }) };
      Object.defineProperty(navigator, "permissions", { value: permissions });
    },
    async press(text) {
      const buttons = (): HTMLButtonElement[] => [...(dialog()?.querySelectorAll("button") ?? [])];
      const button = await until(() =>
        buttons().find((one) => one.textContent.includes(text) && !one.disabled),
      );
      button.click();
    },
    async startedWith() {
      await more.press("Start");
      return (await until(() => sent.start)).metadata;
    },
    show(config) {
      if (config !== undefined) Svc.widget.configure(config);
      Svc.widget.show();
      return inPage.widget()!;
    },
    submit(value) {
      if (value !== undefined) entry().querySelector("input")!.value = value;
      entry().querySelector("form")!.requestSubmit();
    },
    complaint: () => entry().querySelector("[role=alert]")!.textContent,
    buttonStyle: () => getComputedStyle(entry().querySelector(".cta, .svc-hero-cta")!),
  };
  Object.assign(inPage, more);
}
