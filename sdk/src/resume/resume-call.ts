import { RETURN_WITHIN_MS, STORED_CALL_KEY } from "../call/keep-call.ts";
import type { StoredCall } from "../call/keep-call.ts";
import { reviewed } from "../strings/strings.ts";
import type { Reviewed } from "../strings/strings.ts";

/** After a reload, where the browser wants a tap first. */
const TALK_AGAIN: Record<Reviewed, string> = {
  en: "Press the microphone to go on by voice.",
  de: "Tippen Sie auf das Mikrofon, um weiterzusprechen.",
  fr: "Touchez le micro pour continuer à parler.",
  es: "Pulse el micrófono para seguir hablando.",
};
/** A browser that lets a page sound without a tap does so at once. */
const PATIENCE_MS = 300;

/** The call that the page before has left, if it can still be gone on with. */
export function storedCall(agent: string): StoredCall | undefined {
  try {
    const call = JSON.parse(sessionStorage.getItem(STORED_CALL_KEY) ?? "null") as StoredCall | null;
    if (call === null || call.agent !== agent) return undefined;
    return Date.now() - call.at < RETURN_WITHIN_MS ? call : undefined;
  } catch {
    return undefined; // Storage is blocked, or holds something else.
  }
}

/** Goes on by voice if the browser lets it; otherwise returns what the visitor should read. */
export async function talkOn(
  voice: { start(context: AudioContext): void },
  language: string,
): Promise<string | undefined> {
  const context = await talkUnasked();
  if (context === undefined) return TALK_AGAIN[reviewed(language)];
  voice.start(context);
  return undefined;
}

/**
 * A context that runs, on a page that nobody has tapped yet, for a visitor who was talking a moment
 * ago. Undefined where the browser wants a tap, or would ask for the microphone.
 */
async function talkUnasked(): Promise<AudioContext | undefined> {
  try {
    const { state } = await navigator.permissions.query({ name: "microphone" });
    if (state !== "granted") return undefined;
    const context = new AudioContext();
    if (await runs(context)) return context;
    // Safari lets a page sound that is listening.
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const isRunning = await runs(context);
    for (const track of stream.getTracks()) track.stop();
    if (isRunning) return context;
    await context.close();
  } catch {
    // Then a tap it is.
  }
  return undefined;
}

async function runs(context: AudioContext): Promise<boolean> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([context.resume(), patience]);
  return context.state === "running";
}
