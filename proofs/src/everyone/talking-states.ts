import { setMicrophone } from "../browser-voice/microphone-problems.ts";
import type { Page } from "../browsers/browser.ts";
import type { STATES } from "./states.ts";

/** What a visitor who talks meets, in an order in which one state leads to the next. */
export const TALKING_STATES: typeof STATES = [
  {
    name: "talk or type",
    reach: async (call, page) => {
      await setMicrophone(page, await originOf(page), "granted");
      await call.click("#start");
      await call.see("dialog button", "Talk");
    },
  },
  {
    name: "speaking",
    reach: async (call) => {
      await call.click("dialog button", "Talk");
      await call.see(".state", "Talk to interrupt");
      await call.see("li.assistant");
    },
  },
  {
    name: "muted",
    reach: async (call) => {
      await call.click("button", "Mute");
      await call.see("[aria-pressed=true]");
    },
  },
  {
    name: "no microphone",
    reach: async (call, page) => {
      await setMicrophone(page, await originOf(page), "denied");
      await call.see(".help h3");
    },
  },
  {
    name: "still none",
    reach: async (call) => {
      await call.click(".help button", "Talk");
      await call.see("[data-problem=denied] p", "left of the address");
    },
  },
  {
    name: "ended",
    reach: async (call) => {
      await call.click("button.end");
      await call.see("h2", "Thank you");
    },
  },
];

function originOf(page: Page): Promise<string> {
  return page.run<string>("return location.origin;");
}
