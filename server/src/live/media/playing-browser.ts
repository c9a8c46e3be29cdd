import type { LivePlayback } from "@svc/contract/types";
import type { Outgoing } from "../call/outbox.ts";
import type { WsMedia } from "./ws-media.ts";
import type { VirtualTime } from "./media-under-test.ts";

const TICK_MS = 10;
const REPORT_MS = 100;

export interface BrowserManners {
  latencyMs: number;
  /** It never says `cleared`. */
  isSilentOnClear: boolean;
}

/** For tests: a browser in virtual time. It plays what it gets, and what it says arrives late. */
export class PlayingBrowser {
  /** How much was really played, by segment. */
  readonly playedMs: Map<number, number> = new Map();
  /** Sound that came while no segment was open. */
  strayFrames = 0;
  readonly #time: VirtualTime;
  readonly #media: () => WsMedia;
  readonly #manners: BrowserManners;
  #pages = 1;
  #segment: number | undefined;
  #isPaused = false;
  #isFlushed = false;
  #bufferedMs = 0;
  #sinceReportMs = 0;

  constructor(time: VirtualTime, media: () => WsMedia, manners: BrowserManners) {
    this.#time = time;
    this.#media = media;
    this.#manners = manners;
    this.#tick();
  }

  receive(one: Outgoing | Int16Array): void {
    this.#onItsWay(() => this.#take(one));
  }

  /** The page is gone with all that was on its way, and another one opens. */
  reload(): void {
    this.#pages += 1;
    this.#forget();
  }

  #onItsWay(arrive: () => void): void {
    const page = this.#pages;
    this.#time.after(this.#manners.latencyMs, () => {
      if (page === this.#pages) arrive();
    });
  }

  #forget(): void {
    this.#segment = undefined;
    this.#bufferedMs = 0;
  }

  #take(one: Outgoing | Int16Array): void {
    if (one instanceof Int16Array) {
      if (this.#segment === undefined) this.strayFrames += 1;
      else this.#bufferedMs += one.length / 24;
      return;
    }
    if (one.type === "audio_start") {
      this.#segment = one.segment;
      this.#bufferedMs = 0;
      this.#isPaused = this.#isFlushed = false;
      this.playedMs.set(one.segment, 0);
    } else if (one.type === "audio_clear") {
      if (this.#segment === one.segment) this.#forget();
      if (!this.#manners.isSilentOnClear) this.#say({ segment: one.segment, isCleared: true });
    } else if ("segment" in one && one.segment === this.#segment) {
      if (one.type === "audio_flush") this.#isFlushed = true;
      this.#isPaused =
        one.type === "audio_pause" || (this.#isPaused && one.type !== "audio_resume");
      if (one.type === "audio_pause") this.#say({ segment: one.segment, state: "paused" });
    }
  }

  #tick(): void {
    this.#time.after(TICK_MS, () => this.#tick());
    const segment = this.#segment;
    if (segment === undefined || this.#isPaused) return;
    const ms = Math.min(TICK_MS, this.#bufferedMs);
    const before = this.playedMs.get(segment)!;
    this.#bufferedMs -= ms;
    this.playedMs.set(segment, before + ms);
    this.#sinceReportMs += TICK_MS;
    if (this.#isFlushed && this.#bufferedMs === 0) {
      this.#segment = undefined;
      this.#say({ segment, state: "finished" });
    } else if (before === 0 && ms > 0) this.#say({ segment, state: "started" });
    else if (this.#sinceReportMs >= REPORT_MS && ms > 0) this.#say({ segment, state: "playing" });
  }

  #say(what: { segment: number } & ({ state: LivePlayback["state"] } | { isCleared: true })): void {
    this.#sinceReportMs = 0;
    const { segment } = what;
    const position_ms = this.playedMs.get(segment) ?? 0;
    this.#onItsWay(() => {
      if ("isCleared" in what) this.#media().cleared({ segment, position_ms });
      else this.#media().played({ segment, position_ms, state: what.state });
    });
  }
}
