import { AppError } from "#platform";
import type { TourBox, TourStep } from "@svc/contract/types";
import type { Chromium } from "../chromium.ts";
import { findElement, mask, settle, unmask } from "./in-page.ts";
import type { FoundElement, Masked, PageBox } from "./in-page.ts";
import type { Recording, RecordingStep } from "./read-recording.ts";

/** A tour with its pictures, which `picture` names in their order. */
export interface RecordedTour {
  steps: TourStep[];
  pictures: Buffer[];
}

/** As long as the SDK waits for content that comes late. */
const WAIT_MS = 8_000;
const QUIET_MS = 250;
const MAX_SETTLE_MS = 5_000;
/** Pictures are taken at twice the size at which they are read, so that their texts stay sharp. */
const PIXEL_RATIO = 2;

/**
 * Goes through the steps. A picture is taken before every step that changes the page, with the element that it clicks or fills in as
 * its hotspot, and one at the end.
 */
export async function recordTour(
  chromium: Chromium,
  recording: Recording,
  onStep: (done: number) => void = () => {},
): Promise<RecordedTour> {
  const { url, size, steps, end } = recording;
  await chromium.command("Emulation.setDeviceMetricsOverride", {
    ...size,
    deviceScaleFactor: PIXEL_RATIO,
    mobile: false,
  });
  await chromium.command("Emulation.setScrollbarsHidden", { hidden: true });
  const camera = new Camera(chromium, recording);
  let isOpen = false;
  for (const [index, step] of steps.entries()) {
    onStep(index);
    const at = `steps[${index}]`;
    const { goto, click, type, wait, picture = true } = step;
    const target = click ?? type;
    const found = target === undefined ? undefined : await camera.find(target, at);
    if (isOpen && picture && wait === undefined) await camera.take(step, at, found);
    if (goto !== undefined) await openPage(chromium, new URL(goto, url).href, at);
    isOpen ||= goto !== undefined;
    if (found !== undefined) await clickAt(chromium, found.box);
    if (type !== undefined) {
      await camera.find(type, at, "focuses");
      await chromium.command("Input.insertText", { text: step.text });
    }
    if (typeof wait === "string") await camera.find(wait, at);
    if (typeof wait === "number") await new Promise((resume) => setTimeout(resume, wait));
    await onPage(chromium, settle, QUIET_MS, MAX_SETTLE_MS);
  }
  await camera.take(end, "end");
  camera.checkMasks();
  return camera.tour;
}

/** Takes pictures of the page, and notes where its elements are. */
class Camera {
  readonly tour: RecordedTour = { steps: [], pictures: [] };
  readonly #chromium: Chromium;
  readonly #recording: Recording;
  readonly #hidden: number[];

  constructor(chromium: Chromium, recording: Recording) {
    this.#chromium = chromium;
    this.#recording = recording;
    this.#hidden = recording.mask.map(() => 0);
  }

  async find(
    selector: string,
    at: string,
    way: Parameters<typeof findElement>[2] = "scrolls",
  ): Promise<FoundElement> {
    const found = await onPage(this.#chromium, findElement, selector, WAIT_MS, way);
    if (typeof found === "object") return found;
    throw new AppError("invalid_input", {
      what: `${at} cannot be carried out.`,
      why:
        found === "missing"
          ? `Nothing that can be seen is ${selector}. It was waited for, for ${WAIT_MS / 1000} seconds.`
          : `${selector} is no selector.`,
      fix: "Correct the selector, or put a step before it that brings the element up.",
    });
  }

  async take(step: RecordingStep, at: string, target?: FoundElement): Promise<void> {
    const { title, zoom, callouts = [] } = step;
    // What is clicked is in view already, and the page must not move any more.
    if (target === undefined && zoom !== undefined) await this.find(zoom, at);
    const part = zoom === undefined ? undefined : await this.find(zoom, at, "stays");
    const places = [];
    for (const { at: selector, ...texts } of callouts)
      places.push({ texts, found: await this.find(selector, at, "stays") });
    const masked = await onPage(this.#chromium, mask, this.#recording.mask);
    this.#refuseLeaks(masked, at);
    const { data } = await this.#chromium.command("Page.captureScreenshot", { format: "png" });
    await onPage(this.#chromium, unmask);
    this.tour.pictures.push(Buffer.from(data as string, "base64"));
    this.tour.steps.push({
      picture: `${this.tour.pictures.length}.png`,
      ...(title !== undefined && { title }),
      caption: step.caption ?? draftCaption(step, target, masked),
      ...(target !== undefined && { hotspot: this.#percent(target.box, at) }),
      ...(part !== undefined && { zoom: this.#percent(part.box, at) }),
      ...(places.length > 0 && {
        callouts: places.map(({ texts: { title: name, text }, found: { box } }) => {
          const { x, y, width, height } = this.#percent(box, at);
          const middle = { x: rounded(x + width / 2), y: rounded(y + height / 2) };
          return { ...middle, title: name, ...(text !== undefined && { text }) };
        }),
      }),
    });
  }

  #refuseLeaks({ hidden, leaking }: Masked, at: string): void {
    for (const [index, count] of hidden.entries()) this.#hidden[index]! += count;
    if (leaking.length === 0) return;
    throw new AppError("invalid_input", {
      what: `The picture of ${at} would show what is masked.`,
      why: `What ${leaking.join(", ")} hides is still to be read on the page.`,
      fix: "Add a mask for the other place where it stands.",
    });
  }

  /** A mask that no longer fits its page hides nothing. */
  checkMasks(): void {
    const idle = this.#recording.mask.filter((_, index) => this.#hidden[index] === 0);
    if (idle.length === 0) return;
    throw new AppError("invalid_input", {
      what: "There is a mask that hides nothing.",
      why: `No picture has an element ${idle.join(", ")}.`,
      fix: "Correct it, or remove it. Nothing was written.",
    });
  }

  /** What of the element is in the window, in percent of it. */
  #percent(box: PageBox, at: string): TourBox {
    const { width, height } = this.#recording.size;
    if (box.x >= width || box.y >= height || box.x + box.width <= 0 || box.y + box.height <= 0)
      throw new AppError("invalid_input", {
        what: `${at} names an element that is not in the picture.`,
        why: "The page is scrolled so that what is clicked can be seen, and the other is outside.",
        fix: "Make `size` larger, or show the element in a picture of its own.",
      });
    const part = (from: number, length: number, whole: number): [number, number] => {
      const start = Math.max(0, from);
      const until = Math.min(whole, from + length);
      return [rounded((start / whole) * 100), rounded(((until - start) / whole) * 100)];
    };
    const [x, wide] = part(box.x, box.width, width);
    const [y, high] = part(box.y, box.height, height);
    return { x, y, width: Math.max(0.1, wide), height: Math.max(0.1, high) };
  }
}

function rounded(percent: number): number {
  return Math.round(percent * 100) / 100;
}

function draftCaption(
  { click, type }: RecordingStep,
  target: FoundElement | undefined,
  { heading, secrets }: Masked,
): string {
  const open = (text: string): boolean =>
    text !== "" && !secrets.some((secret) => text.includes(secret) || secret.includes(text));
  const name = target !== undefined && open(target.name) ? `“${target.name}”` : "";
  if (click !== undefined) return name === "" ? "Click here." : `Click ${name}.`;
  if (type !== undefined) return name === "" ? "Fill this in." : `Fill in ${name}.`;
  return open(heading) ? heading : "This is what comes then.";
}

async function openPage(chromium: Chromium, url: string, at: string): Promise<void> {
  try {
    await chromium.open(url);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("unavailable", {
      what: `${at} cannot be carried out.`,
      why: `${url} does not open: ${(error as Error).message}`,
      fix: "Start the site, or correct the address.",
    });
  }
}

async function clickAt(chromium: Chromium, box: PageBox): Promise<void> {
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await chromium.command("Input.dispatchMouseEvent", { type: "mouseMoved", ...place });
  for (const type of ["mousePressed", "mouseReleased"])
    await chromium.command("Input.dispatchMouseEvent", {
      type,
      ...place,
      button: "left",
      clickCount: 1,
    });
}

/** Runs a function of `in-page.ts`. A page that is left meanwhile takes it along: the next page is asked again. */
async function onPage<A extends unknown[], R>(
  chromium: Chromium,
  run: (...given: A) => R | Promise<R>,
  ...given: A
): Promise<R> {
  const expression = `(${run.toString()})(${given.map((one) => JSON.stringify(one)).join(", ")})`;
  for (let tries = 1; ; tries++) {
    try {
      return await chromium.evaluate<R>(expression);
    } catch (error) {
      if (error instanceof AppError || tries === MAX_TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, 100));
    }
  }
}

const MAX_TRIES = 5;
