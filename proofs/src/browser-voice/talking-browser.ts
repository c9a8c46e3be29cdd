import { setTimeout as delay } from "node:timers/promises";
import { openBrowser } from "../browsers/browser.ts";
import type { Browser, BrowserOptions, Engine, Page, PageOptions } from "../browsers/browser.ts";
import { soundFirst } from "../browsers/sound-card.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { inCall } from "../browsers/in-call.ts";
import type { InCall } from "../browsers/in-call.ts";
import type { Played, VoiceVisitorInTalk } from "../voice/caller.ts";
import { heardBetween, openHeadset } from "./headset.ts";
import type { Headset } from "./headset.ts";

/** A browser whose visitor wears a headset, with an empty page. */
export interface TalkingBrowser {
  browser: Browser;
  page: Page;
  call: InCall;
  headset: Headset;
}

export async function openTalkingBrowser(
  onEnd: (clean: () => unknown) => void,
  engine: Engine = "chromium",
  {
    page: pageOptions,
    ...options
  }: Pick<BrowserOptions, "program" | "switches"> & { page?: PageOptions | undefined } = {},
): Promise<TalkingBrowser> {
  const headset = await openHeadset();
  onEnd(() => headset.close());
  const browser = await openBrowser(engine, { ...options, soundCard: headset });
  onEnd(() => browser.close());
  const page = await browser.newPage(pageOptions);
  // Chromium starts what brings sound to the card when a page first asks for sound. Behind others, it leaves gaps.
  await page.run(() => new AudioContext().close());
  if (browser.pid !== undefined) soundFirst(browser.pid);
  return { browser, page, call: inCall(page), headset };
}

/**
 * Leaves the microphone as it is, for a voice of tones: Chromium takes them for an echo, though a headset has none, and silences
 * what a visitor says during them. Chromium only, before the page is opened.
 */
export async function keepMicrophoneRaw({ page }: TalkingBrowser): Promise<void> {
  const source = `{
    const devices = navigator.mediaDevices;
    const ask = devices?.getUserMedia.bind(devices);
    if (ask) devices.getUserMedia = ({ audio }) => ask({ audio: { ...audio, echoCancellation: false } });
  }`;
  await page.devtools("Page.enable");
  await page.devtools("Page.addScriptToEvaluateOnNewDocument", { source });
}

const LOOK_MS = 150;
/** Longer than anything that an agent says. */
const PATIENCE_MS = 30_000;

/** A visitor who talks through a browser, and remembers what they heard. */
export class HeadsetVisitor implements VoiceVisitorInTalk {
  /** What the loudspeaker put out before each thing the visitor did: 24 kHz. */
  readonly played: Played[] = [];
  readonly #place: TalkingBrowser;
  #heardUntil = performance.now();
  #turnsBefore = 0;

  constructor(place: TalkingBrowser) {
    this.#place = place;
  }

  /** Until the agent has answered and waits, and the last of it is out. */
  async listen(): Promise<void> {
    const { call, headset } = this.#place;
    await this.#until("answer", async () => {
      // To look at the page costs it time, which sound needs.
      if (headset.isLoud) return false;
      const [state] = await call.texts(".state");
      return state === "Listening" && (await this.#turns("assistant")) > this.#turnsBefore;
    });
  }

  async listenFor(ms: number): Promise<void> {
    await this.#place.headset.untilLoud(PATIENCE_MS);
    await delay(ms);
  }

  async say(pcm: Int16Array): Promise<void> {
    const { headset } = this.#place;
    const before = await this.#turns("user");
    const isCut = headset.isLoud;
    await headset.say(pcm);
    this.#remember(isCut);
    await this.#until("turn of the visitor", async () => (await this.#turns("user")) > before);
    this.#turnsBefore = await this.#turns("assistant");
  }

  async confirmEmail(address: string): Promise<void> {
    const { call, page } = this.#place;
    // What is shown on the stage gives way to the farewell.
    await call.see(".stage h3");
    await call.click("form.card input");
    this.#remember(false);
    this.#turnsBefore = await this.#turns("assistant");
    await page.type(address);
    await page.press("Enter");
    await call.see("li.note", address);
  }

  async untilEnded(): Promise<void> {
    await this.#place.call.see("h2", "Thank you", PATIENCE_MS);
    this.#remember(false);
  }

  seen(): Promise<string[]> {
    return this.#place.call.texts("li.user .said, li.assistant .said");
  }

  /** What was heard since belongs to the turn before. */
  #remember(isCut: boolean): void {
    const until = performance.now();
    const pcm = heardBetween(this.#place.headset.heard, this.#heardUntil, until);
    this.played.push({ pcm, isCut });
    this.#heardUntil = until;
  }

  async #turns(role: "user" | "assistant"): Promise<number> {
    return (await this.#place.call.texts(`li.${role}:not(.partial)`)).length;
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    if (await waitUntil(isSo, PATIENCE_MS, LOOK_MS)) return;
    throw new Error(`no ${what} in ${PATIENCE_MS} ms, but ${await this.#place.call.lastSeen()}`);
  }
}
