import { Random } from "@svc/tools/random";
import { openBrowser } from "../browsers/browser.ts";
import type { Page } from "../browsers/browser.ts";
import { writeWav } from "../browsers/sound-card.ts";
import {
  QUANTUM,
  readRecording,
  RECORDER,
  startTalking,
  TAPS,
} from "../browser-voice/recording-site.ts";
import { stretches } from "../browser-voice/silence-when-cut.ts";
import { quantile } from "../runner/figures.ts";
import type { Tools } from "../runner/proof.ts";
import { APPS } from "./apps.ts";
import { pageHtml } from "./hostile-pages.ts";
import type { PageStage } from "./page-stage.ts";
import { showStep } from "./show-step.ts";
import { CUE_WORD, WORDS_BEFORE } from "./showing.ts";

export interface ByVoice {
  wanted: number;
  done: number;
  /** p95, behind the middle of its word as the loudspeaker put it out, beyond two frames of the same page. */
  lateMs: number;
  /** p95 of the same call's pings. */
  pingMs: number;
  cuts: number;
  afterCut: number;
}

/** The stand-in's voice says a letter in so many milliseconds, and is quiet for as long between two words. */
const LETTER_MS = 60;
/** A busy machine leaves sound out. */
const OFF_MS = 40;
/** So many of a call's steps must have been put out without a gap. */
const MIN_TIMED = 0.5;

const BUTTON = '<button id="start" onclick="Svc.startDemo()">Talk to an agent</button>';

/** Has a place shown by voice, and compares its light with the sound of its word. */
export async function hearAndSee(
  { onEnd, seed, say, timeLeftMs }: Tools,
  stage: PageStage,
  wanted: number,
): Promise<ByVoice> {
  const { url, talkingAgentId } = await stage.showing();
  const [app] = APPS;
  const { places, body = "" } = app!;
  const html = pageHtml({ ...app!, head: TAPS, body: BUTTON + body }, url, talkingAgentId);
  const site = await stage.openSite(onEnd, { "/": html, "/recorder.js": RECORDER });
  const browser = await openBrowser("chromium", {
    microphone: writeWav(onEnd, new Int16Array(16_000)),
  });
  onEnd(() => browser.close());
  const { page, call } = await startTalking(browser, site);
  await call.see("li.assistant:not(.partial)");
  const random = new Random(seed);
  const ids = Object.keys(places);
  let last = "";
  let done = 0;
  const lateMs: number[] = [];
  for (let step = 0; step < wanted && timeLeftMs() > 0; step++) {
    const id = random.pick(ids.filter((one) => one !== last));
    last = id;
    // Another length moves the word between two reports of what was heard.
    const looked = await showStep(page, id, { place: places[id]! }, random.integer(1, 10));
    if (looked.isLit === true) done += 1;
    else say(`by voice, ${id}: ${JSON.stringify(looked)}`);
    const middle = looked.soundSecs && (await middleOfWord(page, looked.soundSecs[0]));
    if (middle !== undefined && looked.framesMs !== undefined)
      lateMs.push((looked.soundSecs![1] - middle) * 1_000 - looked.framesMs);
    await call.see(".state", "Listening");
  }
  const id = ids.find((one) => one !== last)!;
  const cut = await showStep(page, id, { place: places[id]!, when: "wait", isCut: true });
  const { pingsMs } = await readRecording(page);
  if (lateMs.length < MIN_TIMED * wanted) throw new Error(`only ${lateMs.length} words were timed`);
  return {
    wanted,
    done,
    lateMs: quantile(lateMs, 0.95),
    pingMs: quantile(pingsMs, 0.95),
    cuts: cut.hasWord === true ? 0 : 1,
    afterCut: cut.isDone === true ? 1 : 0,
  };
}

/** Of the first answer after that moment; undefined where it was put out with a gap. */
async function middleOfWord(page: Page, fromSecs: number): Promise<number | undefined> {
  const { rate, firstFrame, loudspeaker } = await readRecording(page);
  const secsAt = (quantum: number): number => (firstFrame + quantum * QUANTUM) / rate;
  const quiet = Math.floor((LETTER_MS * rate) / 2_000 / QUANTUM);
  const words = stretches(loudspeaker, 0.01, quiet).filter(({ from }) => secsAt(from) > fromSecs);
  const word = words[WORDS_BEFORE];
  if (word === undefined) return undefined;
  // What was recorded on its way to the loudspeaker is heard when the browser has put it out.
  const latencySecs = await page.run(() => window.latencySecs!());
  const lasts = (secsAt(word.to) - secsAt(word.from)) * 1_000;
  const isWhole = Math.abs(lasts - CUE_WORD.length * LETTER_MS) < OFF_MS;
  return isWhole ? (secsAt(word.from) + secsAt(word.to)) / 2 + latencySecs : undefined;
}
