import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "../browsers/browser.ts";
import type { InCall } from "../browsers/in-call.ts";

/** Every state of a call that a visitor can meet, in an order in which one leads to the next. */
export const STATES: { name: string; reach: (call: InCall, page: Page) => Promise<void> }[] = [
  {
    name: "notice",
    reach: async (call) => {
      await call.click("#start");
      await call.see("button", "Start by typing");
    },
  },
  {
    name: "greeting",
    reach: async (call) => {
      await call.click("button", "Start by typing");
      await call.see(".replies button");
    },
  },
  {
    name: "slide",
    reach: async (call) => {
      await call.click(".replies button");
      await call.see(".slide img, .slide table, .slide pre, .slide .prose");
      await call.see(".state", "Your turn");
    },
  },
  {
    name: "email",
    reach: async (call) => {
      await call.say("Please send me something by email.");
      await call.see("form.card");
      await call.see(".state", "Your turn");
    },
  },
  {
    name: "email-wrong",
    reach: async (call) => {
      await call.click("form.card input");
      await call.click("form.card .primary");
      await call.see("form.card [role=alert]", "not an email address");
    },
  },
  {
    name: "small",
    reach: async (call) => {
      // It is the visitor's turn before and after: what is new is the answer.
      const said = await call.texts(".said");
      await call.click("button", "No, thank you");
      while ((await call.texts(".said")).length === said.length) await delay(50);
      await call.see(".state", "Your turn");
      await call.click("button", "Make it small");
      await call.see("dialog.docked");
    },
  },
  {
    name: "ended",
    reach: async (call) => {
      await call.click("button", "Make it large");
      await call.click("button.end");
      await call.see("h2", "Thank you");
    },
  },
];

/** A start that is refused. */
export async function reachTrouble(call: InCall, page: Page): Promise<void> {
  await page.run(
    `const plain = window.fetch; window.fetch = (address, options) => options?.method === "POST" && String(address).endsWith("/sessions") ? Promise.resolve(new Response('{"error":{"code":"at_capacity","message":""}}', { status: 429 })) : plain(address, options);`,
  );
  await call.click("#start");
  await call.click("button", "Start by typing");
  await call.see("h2", "Not right now");
}
