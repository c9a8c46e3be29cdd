import { RETURN_WITHIN_MS, STORED_CALL_KEY } from "../call/keep-call.ts";
import type { StoredCall } from "../call/keep-call.ts";
import type { Texts } from "../call/call-options.ts";

/** A browser that lets a page play sound without a tap starts it well within this time. */
const PATIENCE_MS = 300;

/** The call that the previous page left, unless the server has ended it since. */
export function storedCall(agent: string): StoredCall | undefined {
  try {
    const call = JSON.parse(sessionStorage.getItem(STORED_CALL_KEY) ?? "null") as StoredCall | null;
    if (call === null || call.agent !== agent) return undefined;
    return Date.now() - call.at < RETURN_WITHIN_MS ? call : undefined;
  } catch {
    return undefined; // Storage is blocked, or holds something else.
  }
}

/** Continues by voice if the browser allows it; otherwise returns the sentence that the visitor should read. */
export async function talkOn(
  voice: { start(context: AudioContext): void },
  texts: Texts,
): Promise<string | undefined> {
  const context = await talkUnasked();
  // The call goes on without the sentence where it cannot be loaded.
  if (context === undefined) return (await texts.later().catch(() => {}))?.microphone.talk_again;
  voice.start(context);
  return undefined;
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
