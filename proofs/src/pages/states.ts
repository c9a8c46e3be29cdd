import { setTimeout as delay } from "node:timers/promises";
import { setMicrophone } from "../browser-voice/microphone-problems.ts";
import type { Page } from "../browsers/browser.ts";
import type { InCall } from "../browsers/in-call.ts";
import { waitUntil } from "../browsers/wait-until.ts";

/** States that a visitor can meet, in an order in which each leads to the next. */
export type States = Record<string, (call: InCall, page: Page) => Promise<void>>;

/** Of a call in text. */
export const STATES: States = {
  notice: async (call) => {
    await call.click("#start");
    await call.see("button", "Start by typing");
  },
  greeting: async (call) => {
    await call.click("button", "Start by typing");
    await call.see(".replies button");
  },
  about: async (call) => {
    await call.click("button", "About this call");
    await call.see(".about p", "You talk with an AI");
  },
  slide: async (call, page) => {
    await page.press("Escape");
    await call.gone(".about");
    await call.click(".replies button");
    await call.see(".slide .deck");
    await call.see(".state", "Your turn");
  },
  enlarged: async (call) => {
    await call.click("button.enlarge");
    await call.see(".stage.large");
  },
  email: async (call) => {
    await call.click("button.enlarge");
    await call.gone(".stage.large");
    await call.say("Please send me something by email.");
    await call.see("form.card");
    await call.see(".state", "Your turn");
  },
  "email-wrong": async (call) => {
    await call.click("form.card input");
    await call.click("form.card .primary");
    await call.see("form.card [role=alert]", "not an email address");
  },
  small: async (call) => {
    // It is the visitor's turn before and after: what is new is the answer.
    const said = await call.texts(".said");
    await call.click("button", "No, thank you");
    while ((await call.texts(".said")).length === said.length) await delay(50);
    await call.see(".state", "Your turn");
    await call.click("button", "Make it small");
    await call.see("dialog.docked");
  },
  leave: async (call) => {
    await call.click("button", "Make it large");
    await call.click("button.end");
    await call.see(".leave");
  },
  ended: async (call) => {
    await call.click(".leave .end");
    await call.see("h2", "Thank you");
    // Longer than the server waits for a recap. Without one the agent's last words stay there.
    await waitUntil(async () => (await call.texts(".recap li")).length > 0, 10_000, 50);
    await call.see(".recap");
  },
  "go-on": async (call) => {
    await call.click("button", "Go on talking");
    await call.see("button", "Start by typing");
  },
};

/** Of a call in which the visitor mistypes an address. Needs the stand-in's name server. */
export const DOUBT_STATES: States = {
  doubt: async (call, page) => {
    await call.click("#start");
    await call.click("button", "Start by typing");
    await call.ask("Please send me something by email.");
    await call.click("form.card input");
    await page.type("somebody.with.a.long.name@gmial.con");
    await call.click("form.card .primary");
    await call.see(".card h3", "gmial.con takes no mail");
    await call.see(".card .primary", "somebody.with.a.long.name@gmail.com");
  },
  correct: async (call) => {
    await call.click(".card button", "Correct it");
    await call.see("form.card input");
  },
  kept: async (call) => {
    await call.click(".card button", "It is right");
    await call.end();
    await call.see(".lead", "We noted somebody.with.a.long.name@gmial.con");
  },
};

/** Of a call in which the visitor talks. */
export const TALKING_STATES: States = {
  "talk or type": async (call, page) => {
    await setMicrophone(page, await page.run(() => location.origin), "granted");
    await call.click("#start");
    await call.see("dialog button", "Talk");
  },
  speaking: async (call) => {
    await call.click("dialog button", "Talk");
    await call.see(".state", "Talk to interrupt");
    await call.see("li.assistant");
  },
  muted: async (call) => {
    await call.click("button", "Mute");
    await call.see("[aria-pressed=true]");
  },
  "no microphone": async (call, page) => {
    await setMicrophone(page, await page.run(() => location.origin), "denied");
    await call.see(".help h3");
  },
  "still none": async (call) => {
    await call.click(".help button", "Talk");
    await call.see("[data-problem=denied] p", "left of the address");
  },
  ended: async (call) => {
    await call.end();
    await call.see("h2", "Thank you");
  },
};

const { "talk or type": notice, speaking } = TALKING_STATES;

/** Of a call in which the visitor talks and types. Help about the microphone is then one line: it has states of its own. */
export const TALKING_AND_TYPING_STATES: States = {
  "talk or type": notice!,
  speaking: speaking!,
  "voice stage": async (call) => {
    await call.say("How do I install it?");
    await call.see(".slide .deck");
  },
  ended: async (call) => {
    await call.end();
    await call.see("h2", "Thank you");
  },
};

/** Of a page whose start is refused. */
export const REFUSED_STATES: States = {
  trouble: async (call, page) => {
    await page.run(() => {
      const plain = window.fetch;
      window.fetch = async (address, options) =>
        options?.method === "POST" && new Request(address).url.includes("/sdk/v1/sessions?")
          ? new Response('{"error":{"code":"at_capacity","message":""}}', { status: 429 })
          : plain(address, options);
    });
    await call.click("#start");
    await call.click("button", "Start by typing");
    await call.see("h2", "Not right now");
  },
};

/** A widget or a hero, as a page shows it. */
export interface Entry {
  widget?: SvcWidgetConfig;
  hero?: SvcHeroConfig;
  isCollapsed?: true;
  /** The form was sent with nothing in it. */
  isSubmitted?: true;
}

/** Runs in a page with an element `place`: shows this instead of what was shown before. */
export async function showEntry({ widget, hero, isCollapsed, isSubmitted }: Entry): Promise<void> {
  const place = document.getElementById("place")!;
  localStorage.clear();
  Svc.widget.hide();
  Svc.hero.unmount();
  if (hero) Svc.hero.mount(place, hero);
  if (widget) {
    Svc.widget.configure(widget);
    Svc.widget.expand();
    Svc.widget.show();
  }
  if (isCollapsed) Svc.widget.collapse();
  const roots = [place, ...Array.from(document.body.children, ({ shadowRoot }) => shadowRoot)];
  const form = roots.map((root) => root?.querySelector("form")).find(Boolean);
  if (!isSubmitted) return;
  form!.requestSubmit();
  // What checks the form is loaded first.
  while (form!.querySelector("[role=alert]")?.textContent === "") {
    await new Promise((resume) => setTimeout(resume, 10));
  }
}

const FORM = { collectData: { dataKey: "email", formTitle: "See it live" } };
const ENTRIES: Record<string, Entry> = {
  widget: { widget: {} },
  "collapsed widget": { widget: {}, isCollapsed: true },
  "widget with a form": { widget: { collectData: { dataKey: "email" } } },
  "the widget's error": { widget: { collectData: { dataKey: "email" } }, isSubmitted: true },
  hero: { hero: {} },
  "hero with a form": { hero: FORM },
  "the hero's error": { hero: FORM, isSubmitted: true },
};

/** Of widget and hero. */
export const ENTRY_STATES: States = Object.fromEntries(
  Object.entries(ENTRIES).map(([name, entry]) => [
    name,
    async (_call, page) => {
      await page.run(showEntry, entry);
      // What it shows has faded in.
      await delay(300);
    },
  ]),
);
