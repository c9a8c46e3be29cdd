import { STORED_CALL_KEY } from "../call/keep-call.ts";
import { RETURN_WITHIN_MS } from "../call/live-connection.ts";
import type { StoredCall } from "../call/keep-call.ts";
import type { CallSession, Texts } from "../call/call-options.ts";
import type { Frame } from "../call/frame.ts";

/** A browser that lets a page play sound without a tap starts it well within this time. */
const PATIENCE_MS = 300;

/** A call to go on with, and what that takes. */
export interface TakenUp extends StoredCall, Pick<CallSession, "askForTap"> {
  texts: Texts;
  /** Lets the next call in. Undefined when another tab has one. */
  release: (() => void) | undefined;
  /** Makes the surface small, where it was. */
  dock: ((frame: Frame) => void) | undefined;
}

/**
 * Takes up the call that the previous page left, unless the server has ended it since. It is shown when there is
 * something to show: until then it would be an empty surface.
 */
export async function takeUp({
  agent,
  voice,
  takeOnlyCall,
  textsIn,
  loadDocked,
}: {
  agent: string;
  voice: { start(context: AudioContext): void };
  takeOnlyCall: () => Promise<TakenUp["release"]>;
  textsIn: (language: string) => Promise<Texts>;
  loadDocked: () => Promise<{ CARDS_STYLE: string }>;
}): Promise<TakenUp | undefined> {
  const release = await takeOnlyCall();
  // Only now: the page before stores how it stands, and then lets go.
  const call = storedCall(agent);
  try {
    if (call !== undefined) {
      const texts = await textsIn(call.language);
      const style = call.minimized && (await loadDocked()).CARDS_STYLE;
      const dock = style ? (frame: Frame): void => dockWith(frame, style) : undefined;
      const askForTap = release && call.talking ? await talkOn(voice, texts) : undefined;
      return { ...call, release, texts, dock, askForTap };
    }
  } catch {
    // The service cannot be reached. The call can still be taken up by the next page.
  }
  release?.();
  return undefined;
}

function dockWith(frame: Frame, style: string): void {
  frame.addStyle(style);
  frame.minimize();
  // It has opened large, and keeps the keyboard that belongs to the page.
  (document.activeElement?.shadowRoot?.activeElement as HTMLElement | undefined)?.blur();
}

function storedCall(agent: string): StoredCall | undefined {
  try {
    const call = JSON.parse(sessionStorage.getItem(STORED_CALL_KEY) ?? "null") as StoredCall | null;
    if (call === null || call.agent !== agent) return undefined;
    return Date.now() - call.at < RETURN_WITHIN_MS ? call : undefined;
  } catch {
    return undefined; // Storage is blocked, or holds something else.
  }
}

/**
 * Continues by voice if the browser allows it. Otherwise returns what makes the button for it say so, in words and above
 * the field: the visitor has to tap.
 */
async function talkOn(
  voice: { start(context: AudioContext): void },
  texts: Texts,
): Promise<CallSession["askForTap"]> {
  const context = await talkUnasked();
  if (context !== undefined) {
    voice.start(context);
    return undefined;
  }
  // Where the words cannot be loaded, the microphone alone has to do.
  const words = await texts.later().catch(() => undefined);
  return words && ((button) => label(button, words.microphone.talk_again));
}

/** Until the button is pressed. */
function label(button: HTMLElement, text: string): void {
  const { className, title } = button;
  const row = button.parentElement!;
  const name = (as: string, given: string): void => {
    button.className = as;
    button.title = given;
    button.ariaLabel = given;
  };
  name("primary tap", text);
  button.append(text);
  button.style.cssText =
    "flex:1 0 100%;display:flex;align-items:center;justify-content:center;gap:8px";
  row.style.flexWrap = "wrap";
  button.addEventListener(
    "click",
    () => {
      name(className, title);
      button.lastChild!.remove();
      button.style.cssText = row.style.flexWrap = "";
    },
    { once: true },
  );
}

/**
 * Returns a running audio context on a page that nobody has tapped yet, for a visitor who was talking a
 * moment ago. Undefined where the browser requires a tap, or would ask for the microphone.
 */
async function talkUnasked(): Promise<AudioContext | undefined> {
  try {
    const { state } = await navigator.permissions.query({ name: "microphone" });
    if (state !== "granted") return undefined;
    const context = new AudioContext();
    if (await runs(context)) return context;
    // Safari lets a page play sound while it is recording.
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const isRunning = await runs(context);
    for (const track of stream.getTracks()) track.stop();
    if (isRunning) return context;
    await context.close();
  } catch {
    // The visitor has to tap.
  }
  return undefined;
}

async function runs(context: AudioContext): Promise<boolean> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([context.resume(), patience]);
  return context.state === "running";
}
