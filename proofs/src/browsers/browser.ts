import { openChromium, openFirefox } from "./puppeteer-browser.ts";
import type { SoundCard } from "./sound-card.ts";
import { openWebkit } from "./webkit-browser.ts";

export type Engine = "chromium" | "firefox" | "webkit";
export const ENGINES: readonly Engine[] = ["chromium", "firefox", "webkit"];

/** A real browser, driven as a person drives it: by pointer and keys. */
export interface Browser {
  engine: Engine;
  version: string;
  /** Of its process, and of the group that all its processes are in. Not in WebKit. */
  pid?: number;
  newPage(options?: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** A WAV file that its microphone hears, once. Chromium only: the others hear beeps of their own. Nobody is asked. */
  microphone?: string;
  /** It plays and hears by this one, and nobody is asked. Chromium and Firefox. */
  soundCard?: SoundCard;
  /** More of Chromium's own. */
  switches?: string[];
  /** What starts Chromium, unless it is Chromium itself. */
  program?: string;
}

export interface PageOptions {
  width?: number;
  height?: number;
  /** Chromium only, like all that follow. */
  dark?: boolean;
  reducedMotion?: boolean;
  forcedColors?: boolean;
  /** Of CSS pixels to the screen's: 2 is a page at 200 %, or a phone. */
  scale?: number;
  /** It is drawn whatever else is open. Of the pages in one window only the newest is: movements in the others never end. */
  ownWindow?: boolean;
}

export interface Page {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /**
   * Runs a function in the page and returns what it returns; a promise is awaited. Only its source
   * text gets there, so it may not close over anything: hand values over as arguments (JSON), and
   * declare the page's own globals with `declare const`.
   */
  run<Args extends unknown[], T>(code: (...args: Args) => T, ...args: Args): Promise<Awaited<T>>;
  /** The same with the body of a function as text; `args` arrive as its parameters `a`, `b`, `c`. */
  run<T>(body: string, ...args: unknown[]): Promise<T>;
  /** At a point of the viewport. */
  clickAt(x: number, y: number): Promise<void>;
  /** Keys as a keyboard sends them; a name such as `Enter` or the text itself. */
  press(key: "Enter" | "Tab" | "Escape" | "Shift+Tab" | "Space"): Promise<void>;
  type(text: string): Promise<void>;
  /** Of the viewport, or of a part of it (not in WebKit). */
  screenshot(part?: { x: number; y: number; width: number; height: number }): Promise<Buffer>;
  /** A command of the DevTools protocol. Chromium only. */
  devtools<T>(method: string, params?: object): Promise<T>;
  /** An event of that protocol, whenever it comes. Chromium only. */
  onDevtools<T>(event: string, take: (detail: T) => void): Promise<void>;
  /** What the page's console and its errors said. */
  said(): string[];
  close(): Promise<void>;
}

export async function openBrowser(engine: Engine, options: BrowserOptions = {}): Promise<Browser> {
  switch (engine) {
    case "chromium":
      return openChromium(options);
    case "firefox":
      return openFirefox(options);
    case "webkit":
      return openWebkit(options);
  }
}
