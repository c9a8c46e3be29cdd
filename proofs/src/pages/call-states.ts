import { setTimeout as delay } from "node:timers/promises";
import { setMicrophone } from "../browser-voice/rungs.ts";
import type { Page } from "../browsers/browser.ts";
import type { InCall } from "../browsers/in-call.ts";

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
  slide: async (call) => {
    await call.click(".replies button");
    await call.see(".slide img, .slide table, .slide pre, .slide .prose");
    await call.see(".state", "Your turn");
  },
  email: async (call) => {
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
  ended: async (call) => {
    await call.click("button", "Make it large");
    await call.click("button.end");
    await call.see("h2", "Thank you");
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
    await call.see(".rung h3");
  },
  "still none": async (call) => {
    await call.click(".rung button", "Talk");
    await call.see("[data-rung=denied] p", "left of the address");
  },
  ended: async (call) => {
    await call.click("button.end");
    await call.see("h2", "Thank you");
  },
};

/** Of a page whose start is refused. */
export const REFUSED_STATES: States = {
  trouble: async (call, page) => {
    await page.run(() => {
      const plain = window.fetch;
      window.fetch = async (address, options) =>
        options?.method === "POST" && new Request(address).url.endsWith("/sessions")
          ? new Response('{"error":{"code":"at_capacity","message":""}}', { status: 429 })
          : plain(address, options);
    });
    await call.click("#start");
    await call.click("button", "Start by typing");
    await call.see("h2", "Not right now");
  },
};

/** Of widget and hero. What each shows has faded in or out after a moment. */
export const ENTRY_STATES: States = {
  widget: (_call, page) => page.run(() => Svc.widget.show()).then(untilShown),
  "collapsed widget": (_call, page) => page.run(() => Svc.widget.collapse()).then(untilShown),
  "widget with a form": (_call, page) =>
    page
      .run(() => {
        Svc.widget.configure({ collectData: { dataKey: "email" } });
        Svc.widget.expand();
        Svc.widget.show();
      })
      .then(untilShown),
  "its error": (_call, page) =>
    page
      .run(() => {
        const hosts = [...document.body.children];
        hosts
          .find((one) => one.shadowRoot)!
          .shadowRoot!.querySelector("form")!
          .requestSubmit();
      })
      .then(untilShown),
  hero: (_call, page) =>
    page
      .run(() => {
        Svc.widget.hide();
        Svc.hero.mount(document.getElementById("place")!);
      })
      .then(untilShown),
  "hero with a form": (_call, page) =>
    page
      .run(() => {
        const collectData = { dataKey: "email", formTitle: "See it live" };
        Svc.hero.mount(document.getElementById("place")!, { collectData });
      })
      .then(untilShown),
  "the hero's error": (_call, page) =>
    page
      .run(() => document.querySelector<HTMLFormElement>(".svc-hero-form")!.requestSubmit())
      .then(untilShown),
};

const untilShown = (): Promise<void> => delay(300);
