import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "../browsers/browser.ts";
import type { InCall } from "../browsers/in-call.ts";
import { countClears, readRecording, startTalking, untilSo } from "./recording-site.ts";
import type { Changes } from "./recording-site.ts";

/** What the agent did while a visitor listened. */
export interface Listened {
  /** How often it was interrupted. */
  cuts: number;
  /** How far into a speech it fell silent, for a while or for good. */
  pausedAtMs: number[];
  /** What the microphone gave at its loudest, 1 is full scale. */
  loudest: number;
  /** What server and page told each other of sound, in order, by the page's clock. */
  story: string;
}

const ANSWER_WITHIN_MS = 15_000;
/** Nobody types the moment that somebody else has ended. */
const THINKS_MS = 300;

/** A visitor whose microphone is on, and who types. */
export class QuietVisitor {
  readonly #page: Page;
  readonly #call: InCall;
  #asked = 0;

  static async enter(browser: Browser, url: string, changes: Changes = {}): Promise<QuietVisitor> {
    const { page, call } = await startTalking(browser, url, changes);
    return new QuietVisitor(page, call);
  }

  private constructor(page: Page, call: InCall) {
    this.#page = page;
    this.#call = call;
  }

  async ask(): Promise<void> {
    await delay(THINKS_MS);
    this.#asked += 1;
    await this.#call.say("Tell me more, please.");
  }

  /** Until the greeting, or the answer to what was asked last, has ended one way or the other. */
  async listen(): Promise<void> {
    const countEnded = (): number =>
      window.recording.reports.filter(
        ({ type, state }) => type === "cleared" || state === "finished",
      ).length;
    const isOver = async (): Promise<boolean> => (await this.#page.run(countEnded)) > this.#asked;
    if (!(await untilSo(isOver, ANSWER_WITHIN_MS))) throw new Error("an answer does not end");
  }

  /** Until so much of it was played. */
  async listenFor(ms: number): Promise<void> {
    const playedMs = (asked: number): number => {
      const { orders, reports } = window.recording;
      const starts = orders.filter(({ type }) => type === "audio_start");
      const last = reports.at(-1);
      const isAnswer = starts.length > asked && last?.segment === starts.at(-1)?.segment;
      return isAnswer ? (last?.position_ms ?? 0) : 0;
    };
    const isHeard = async (): Promise<boolean> =>
      (await this.#page.run(playedMs, this.#asked)) >= ms;
    if (!(await untilSo(isHeard, ANSWER_WITHIN_MS))) throw new Error("an answer does not come");
  }

  /** Whether it is interrupted so often in the end. */
  isCut(times: number, withinMs: number): Promise<boolean> {
    return untilSo(async () => (await countClears(this.#page)) >= times, withinMs);
  }

  async listened(): Promise<Listened> {
    const { orders, reports, microphone } = await readRecording(this.#page);
    return {
      cuts: orders.filter(({ type }) => type === "audio_clear").length,
      pausedAtMs: reports
        .filter(({ state }) => state === "paused")
        .map(({ position_ms }) => position_ms),
      loudest: microphone.reduce((most, peak) => Math.max(most, peak), 0),
      story: [...orders, ...reports.filter(({ state }) => state !== "playing")]
        .toSorted((a, b) => a.atSecs - b.atSecs)
        .map(({ type, segment, atSecs, ...rest }) =>
          [`${atSecs.toFixed(1)} s`, type, segment, ...Object.values(rest)].join(" "),
        )
        .join("; "),
    };
  }

  async leave(): Promise<void> {
    await this.#page.close();
  }
}
