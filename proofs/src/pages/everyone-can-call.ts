import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import english from "@svc/contract/words/en.json" with { type: "json" };
import { applyFolder } from "@svc/server/testing";
import { setMicrophone } from "../browser-voice/microphone-problems.ts";
import type { Browser, Page, PageOptions } from "../browsers/browser.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";
import { pageWith, untilLoaded } from "../product/customer-site.ts";
import { EXAMPLE } from "../product/whole-product.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import type { Claim } from "../runner/proof.ts";
import { openVoiceProduct } from "../voice/voice-product.ts";
import { Keyboard, namelessIn, overflowIn, unkindIn, violationsIn } from "./audit.ts";
import type { PageStage } from "./page-stage.ts";
import {
  DOUBT_STATES,
  ENTRY_STATES,
  REFUSED_STATES,
  STATES,
  TALKING_AND_TYPING_STATES,
  TALKING_STATES,
} from "./states.ts";
import type { States } from "./states.ts";

const RIGHT_TO_LEFT = "/rtl";

/** How people see a page. At 200 % it is laid out as on a phone, and from right to left as on a desktop: axe-core reads each once. */
const VIEWS: [name: string, options: PageOptions, path: string, isReadByAxe?: false][] = [
  ["desktop", {}, "/"],
  ["dark", { dark: true }, "/"],
  ["320 px", { width: 320, height: 640 }, "/"],
  ["200 % zoom", { width: 640, height: 400, scale: 2 }, "/", false],
  ["forced colours, reduced motion", { forcedColors: true, reducedMotion: true }, "/"],
  ["from right to left", {}, RIGHT_TO_LEFT, false],
];
const PLACE = '<div id="place" style="max-width:280px;height:320px"></div>';

export const everyoneCanCall: Claim<PageStage> = {
  promise:
    "Everyone can use widget and hero and call, talking or typing: by keyboard, with a screen reader, enlarged, on the smallest phone",
  bound:
    "on a desktop, dark, at 320 px, at 200 %, in forced colours without motion and from right to left: nothing sticks out, no control without a name or under 24 px, no motion where none is wanted, 0 violations of axe-core (not read again at 200 % and from right to left); every action by keyboard; five planted faults are noticed",
  formerly: ["everyone-can-use-it"],
  timeLimitSecs: { quick: 300 },
  tier: "nightly",
  async prove({ say, onEnd }, stage) {
    const openSite = async (product: WholeProduct): Promise<string> => {
      const { server, agentId } = product;
      const rtl = pageWith(server.url, await makeArabic(onEnd, product), PLACE)
        .replace('<html lang="en">', '<html lang="ar" dir="rtl">')
        .replace("startDemo()", "startDemo({ language: 'ar' })");
      return stage.openSite(onEnd, {
        "/": pageWith(server.url, agentId, PLACE),
        [RIGHT_TO_LEFT]: rtl,
      });
    };
    const url = await openSite(stage.product);
    // A process that offers voice makes all pages of its product offer it: here it has one of its own.
    const talking = await openVoiceProduct(onEnd, { ears: "scripted", voice: "tone" });
    const talkingUrl = await openSite(talking);
    const browser = await stage.browser("chromium");
    const faults: string[] = [];
    const report = (fault: string): void => {
      faults.push(fault);
      say(fault);
    };
    let looked = 0;
    async function look(
      states: States,
      siteUrl: string,
      where: "page" | "call",
      views = VIEWS,
    ): Promise<void> {
      for (const [view, options, path, isReadByAxe] of views) {
        const page = await browser.newPage({ ...options, ownWindow: true });
        await page.goto(siteUrl + path);
        await untilLoaded(page);
        const call = path === RIGHT_TO_LEFT ? inArabic(inCall(page)) : inCall(page);
        for (const [state, usual] of Object.entries(states)) {
          const reach = path === RIGHT_TO_LEFT && state === "slide" ? askForSlide : usual;
          const found = await reach(call, page)
            .then(() => faultsIn(page, where, isReadByAxe))
            .catch((error: unknown) => [String(error)]);
          for (const fault of found) report(`${view}, ${state}: ${fault}`);
          looked += 1;
          // The next state begins where this one ends.
          if (found.some((fault) => fault.startsWith("Error"))) break;
        }
        await page.run(() => localStorage.clear());
        await page.close();
      }
    }
    await Promise.all([
      look(ENTRY_STATES, url, "page"),
      look(STATES, url, "call"),
      // On sites of their own: a browser has one call a site.
      look(REFUSED_STATES, await openSite(stage.product), "call"),
      look(DOUBT_STATES, await openSite(stage.product), "call", VIEWS.slice(1, 3)),
    ]);
    // Alone: speech that is late becomes text.
    await look(TALKING_STATES, talkingUrl, "call");
    await look(TALKING_AND_TYPING_STATES, talkingUrl, "call", VIEWS.slice(0, 3));
    for (const act of [useEntries, callByTyping]) (await act(browser, url)).forEach(report);
    (await callByTalking(browser, talkingUrl)).forEach(report);

    const page = await browser.newPage({ reducedMotion: true });
    await page.goto(url);
    const before = await faultsIn(page, "page");
    await page.run(plantFaults);
    const noticed = (await faultsIn(page, "page")).filter((fault) => !before.includes(fault));
    const missed = PLANTED.filter((kind) => !noticed.some((fault) => fault.includes(kind)));
    say(
      `control: of ${PLANTED.length} planted faults ${missed.length} are missed ${missed.join()}`,
    );
    await page.close();
    return {
      figure: `${faults.length} faults in ${looked} states, in widget, hero and two calls by keyboard`,
      ok: faults.length === 0 && before.length === 0 && missed.length === 0,
      engines: [browser.version],
    };
  },
};

async function faultsIn(page: Page, where: "page" | "call", isReadByAxe = true): Promise<string[]> {
  return [
    ...(isReadByAxe ? await violationsIn(page) : []),
    ...(await overflowIn(page, where)),
    ...(await namelessIn(page)),
    ...(await unkindIn(page)),
  ];
}

const PLANTED = ["image-alt", "HR.", "has no name", "is smaller", "something moves"];

/** Runs in the page: a picture and a button without words, a line beside the screen, a small button, and one that moves. */
function plantFaults(): void {
  const faults =
    "<img src=data:, width=50 height=50><button style='width:30px;height:30px'></button><hr style='width:3000px'><button style='width:9px;height:9px;padding:0'>x</button><p>Moving</p>";
  document.querySelector("h1")!.insertAdjacentHTML("afterend", faults);
  document
    .querySelector("p")!
    .animate({ opacity: [0, 1] }, { duration: 1_000, iterations: Infinity });
}

const ARABIC = "ابكدهفغحيجقلمنوپرستوڤوخيزء";

/** Letter by letter: as long as the English, and read from right to left. Placeholders stay. */
function toArabic(text: string): string {
  return text.replaceAll(/\{[^}]*\}|[a-z]/gi, (found) =>
    found.length > 1 ? found : ARABIC[found.toLowerCase().charCodeAt(0) - 97]!,
  );
}

/** The example agent with all our texts and its slides' titles in such letters. Returns its id. */
async function makeArabic(
  onEnd: (clean: () => unknown) => void,
  { stage, customer }: WholeProduct,
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "svc-arabic-"));
  onEnd(() => rm(root, { recursive: true }));
  const folder = join(root, "arabic");
  await cp(EXAMPLE, folder, { recursive: true });
  const file = join(folder, "agent.yaml");
  const yaml = (await readFile(file, "utf8"))
    .replace("\nlanguages:\n", `$&  ar: { notice: ${toArabic("You talk with an AI")} }\n`)
    .replaceAll(
      /title: (.*)(\n(?: {4}(?!languages).*\n)+ {4}languages:\n)/g,
      (_, title: string, rest: string) =>
        `title: ${title}${rest}      ar: { title: ${toArabic(title.replaceAll(",", ""))} }\n`,
    );
  await writeFile(file, yaml);
  await mkdir(join(folder, "languages"));
  const words = JSON.stringify({ ...english, language: undefined, reviewed: true }, (key, value) =>
    typeof value === "string" ? toArabic(value) : (value as unknown),
  );
  await writeFile(join(folder, "languages/ar.yaml"), words);
  return (await applyFolder(stage.database.db, customer.account.id, folder)).agentId;
}

/** In place of a title that the stand-in for a model cannot read. */
async function askForSlide(call: InCall, page: Page): Promise<void> {
  await page.press("Escape");
  await call.gone(".about");
  await call.say("How do I install it?");
  await call.see(".slide .deck");
  await call.see(".state", "Your turn");
}

/** Looks for texts in these letters. */
function inArabic(call: InCall): InCall {
  const written = (text?: string): string | undefined => text && toArabic(text);
  return {
    ...call,
    see: (selector, text, withinMs) => call.see(selector, written(text), withinMs),
    click: (selector, text) => call.click(selector, written(text)),
  };
}

interface WithoutPointer {
  page: Page;
  call: InCall;
  keyboard: Keyboard;
  faults: string[];
}

async function withoutPointer(browser: Browser, url: string): Promise<WithoutPointer> {
  const page = await browser.newPage();
  await page.goto(url);
  await untilLoaded(page);
  const faults: string[] = [];
  return { page, call: inCall(page), keyboard: new Keyboard(page, faults), faults };
}

/** Widget and hero, up to the notice of a call. */
async function useEntries(browser: Browser, url: string): Promise<string[]> {
  const { page, call, keyboard, faults } = await withoutPointer(browser, url);
  await page.run(() => {
    Svc.widget.configure({ ctaText: "Ask us" });
    Svc.widget.show();
  });
  await keyboard.pressOn("Make it small");
  await call.see(".pill");
  await keyboard.expectFocus("Ask us", "when it collapses");
  await page.press("Enter");
  await call.see(".card");
  await page.press("Escape");
  await call.see(".pill");
  await page.press("Enter");
  await keyboard.pressOn("Ask us");
  await call.see("button", "Start by typing");
  await page.press("Escape");
  await call.gone("dialog");
  if ((await keyboard.focused()) === "") faults.push("the focus does not come back to the widget");

  await page.run(() => {
    Svc.widget.hide();
    const collectData = { dataKey: "team", placeholder: "Your team" };
    Svc.hero.mount(document.getElementById("place")!, { collectData });
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await keyboard.pressOn("Your team");
  await call.see(".svc-hero-error", "fill this in");
  await page.type("Sales");
  await page.press("Enter");
  await call.see("button", "Start by typing");
  await page.close();
  return faults;
}

/** A whole call in text. */
async function callByTyping(browser: Browser, url: string): Promise<string[]> {
  const { page, call, keyboard, faults } = await withoutPointer(browser, url);
  await keyboard.pressOn("Talk to an agent");
  await call.see("button", "Start by typing");
  await keyboard.expectFocus("Start by typing", "notice");
  await page.press("Enter");
  await call.see("li.assistant");
  await keyboard.expectFocus("Your message", "conversation");
  await call.see(".replies button");
  const [reply = ""] = await call.texts(".replies button");
  await keyboard.pressOn(reply, "Shift+Tab");
  await call.see("li.user", reply);
  await call.see(".slide .deck");
  await call.see(".state", "Your turn");
  await keyboard.expectFocus("Your message", "after a quick reply");
  await page.type("Please send me something by email.");
  await page.press("Enter");
  await call.see("form.card");
  await keyboard.moveTo("Email address", "Shift+Tab");
  await page.type("dana@example.com");
  await page.press("Enter");
  await call.see("li.note", "dana@example.com");
  await call.see(".state", "Your turn");
  const announced = await page.run(() => {
    const roots = Array.from(document.body.children, ({ shadowRoot }) => shadowRoot);
    return roots.map((root) => root?.querySelector("[aria-live=polite]")).find(Boolean)
      ?.textContent;
  });
  const last = (await call.texts("li.assistant .said")).at(-1);
  if (announced !== last) faults.push("the last turn was not announced");
  await page.press("Escape");
  await call.see("dialog.docked");
  await keyboard.pressOn("Make it large");
  await keyboard.pressOn("Enlarge");
  await call.see(".stage.large");
  await page.press("Escape");
  await call.gone(".stage.large");
  await keyboard.pressOn("End");
  await keyboard.expectFocus("Stay", "asked about the end");
  await page.press("Escape");
  await call.gone(".leave");
  await keyboard.expectFocus("End", "after staying");
  await page.press("Enter");
  await keyboard.pressOn("End", "Shift+Tab");
  await call.see("h2", "Thank you");
  await keyboard.expectFocus("Thank you", "after the end");
  await keyboard.moveTo("Try it on your page");
  await keyboard.moveTo("Talk to a person");
  await keyboard.pressOn("5 of 5");
  await keyboard.pressOn("Close");
  await call.gone("dialog");
  await keyboard.expectFocus("Talk to an agent", "after the call");
  await page.close();
  return faults;
}

/** By voice, to text, back, and on when the microphone is taken away. */
async function callByTalking(browser: Browser, url: string): Promise<string[]> {
  const { page, call, keyboard, faults } = await withoutPointer(browser, url);
  await setMicrophone(page, url, "granted");
  await keyboard.pressOn("Talk to an agent");
  await call.see("dialog button", "Talk");
  await keyboard.expectFocus("Talk", "notice");
  await page.press("Enter");
  await call.see("[data-voice=open]");
  await keyboard.expectFocus("Mute", "talking");
  await page.press("Enter");
  await call.see("[aria-pressed=true]");
  await page.press("Enter");
  await keyboard.pressOn("Type");
  await call.see("[data-voice=off]");
  // Who changes to text at once waits for the field.
  await call.see(".composer");
  await keyboard.expectFocus("Your message", "in text");
  await page.press("Shift+Tab");
  await keyboard.expectFocus("Talk", "before the field");
  await page.press("Enter");
  await call.see("[data-voice=open]");
  await keyboard.expectFocus("Mute", "talking again");
  await setMicrophone(page, url, "denied");
  await call.see("[data-problem=removed]");
  await keyboard.expectFocus("Your message", "without a microphone");
  await keyboard.pressOn("Type", "Shift+Tab");
  await call.gone(".help");
  await keyboard.expectFocus("Your message", "after the hint");
  await page.type("What is it good for?");
  await page.press("Enter");
  await call.see("li.user", "What is it good for?");
  await call.see(".state", "Your turn", 20_000);
  await keyboard.pressOn("End");
  await keyboard.pressOn("End", "Shift+Tab");
  await call.see("h2", "Thank you");
  await page.close();
  return faults;
}
