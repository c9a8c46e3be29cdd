/** A browser that lets a page sound without a tap does so at once. */
const PATIENCE_MS = 300;

/**
 * A context that runs, on a page that nobody has tapped yet, for a visitor who was talking a moment
 * ago. Undefined where the browser wants a tap, or would ask for the microphone.
 */
export async function talkUnasked(): Promise<AudioContext | undefined> {
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
