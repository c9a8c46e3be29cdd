import type { SpeechOptions } from "@svc/rehearsal";
import { startLivekit } from "@svc/tools/livekit";
import type { LivekitServer } from "@svc/tools/livekit";
import type { TestDatabase } from "@svc/server/testing";
import {
  HeadsetVisitor,
  keepMicrophoneRaw,
  openTalkingBrowser,
} from "../browser-voice/talking-browser.ts";
import type { TalkingBrowser } from "../browser-voice/talking-browser.ts";
import { openTalkingSite, sessionOf } from "../browser-voice/talking-site.ts";
import type { TalkingSite } from "../browser-voice/talking-site.ts";
import type { PageOptions } from "../browsers/browser.ts";
import { soundFirst } from "../browsers/sound-card.ts";
import { openVoiceProduct } from "../voice/voice-product.ts";
import type { VoiceProduct } from "../voice/voice-product.ts";
import { openVisitorNetwork } from "./visitor-network.ts";
import type { VisitorNetwork } from "./visitor-network.ts";

type OnEnd = (clean: () => unknown) => void;

/** The product with a LiveKit server, and visitors in a network of their own. */
export interface LivekitWorld {
  product: VoiceProduct;
  livekit: LivekitServer;
  network: VisitorNetwork;
  /** A new browser, in which a call has begun. */
  call(onEnd: OnEnd): Promise<LivekitCall>;
}

export interface LivekitCall {
  place: TalkingBrowser;
  visitor: HeadsetVisitor;
  sessionId: string;
  /** From the click that starts the call to the agent's first sound. */
  soundAfterMs: number;
  /** Unix time of that sound. */
  soundAt: number;
}

/** What visitors are heard to say, whatever they say. Its answer takes ten seconds. */
export const LONG_QUESTION = "What do I get after a session?";

/** A tone for each word: what was played can be counted. */
export const SPEECH: SpeechOptions = { ears: "scripted", otherwise: LONG_QUESTION, voice: "tone" };

export async function openLivekitWorld(onEnd: OnEnd): Promise<LivekitWorld> {
  const network = await openVisitorNetwork(onEnd);
  const livekit = await startLivekit({ media: network.media });
  onEnd(() => livekit.stop());
  const product = await openVoiceProduct(onEnd, SPEECH, livekitAt(livekit));
  carriesSound(livekit, product);
  const site = await openTalkingSite(onEnd, product);
  await network.reach(livekit.url, product.server.url, site.url);
  return {
    product,
    livekit,
    network,
    call: (onCallEnd) => beginCall(onCallEnd, site, network.browser),
  };
}

async function beginCall(
  onEnd: OnEnd,
  site: TalkingSite,
  browser?: VisitorNetwork["browser"],
): Promise<LivekitCall> {
  return startTalking(await readNotice(onEnd, site, { browser }));
}

/** What a page costs without a GPU, most of it for drawing, would leave the sound of several calls no time. */
const HARDLY_DRAWN: PageOptions = { width: 360, height: 640, reducedMotion: true };
const FRAME_MS = 500;
/** Sound is handed over in larger pieces, 43 ms, which takes less time of all who hand it on. */
const LARGE_BUFFER = "--audio-buffer-size=2048";

/** A new browser, in which somebody reads the notice before a call. */
export async function readNotice(
  onEnd: OnEnd,
  site: TalkingSite,
  {
    browser,
    isHardlyDrawn = false,
  }: { browser?: VisitorNetwork["browser"] | undefined; isHardlyDrawn?: boolean } = {},
): Promise<TalkingBrowser> {
  const page = isHardlyDrawn ? HARDLY_DRAWN : undefined;
  const switches = [...(browser?.switches ?? []), ...(isHardlyDrawn ? [LARGE_BUFFER] : [])];
  const place = await openTalkingBrowser(onEnd, "chromium", { ...browser, switches, page });
  await keepMicrophoneRaw(place);
  if (isHardlyDrawn) {
    const source = `window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), ${FRAME_MS})`;
    await place.page.devtools("Page.addScriptToEvaluateOnNewDocument", { source });
  }
  await site.enter(place.page);
  await place.call.click("#start");
  await place.call.see("dialog button", "Talk");
  return place;
}

/** They click, and hear the agent. */
export async function startTalking(place: TalkingBrowser): Promise<LivekitCall> {
  const { page, call, headset } = place;
  const visitor = new HeadsetVisitor(place);
  const clickedAt = performance.now();
  await call.click("dialog button", "Talk");
  const heardAt = headset.untilLoud(30_000).catch(async (error: unknown) => {
    throw new Error(`nothing is heard after the click, but ${await call.lastSeen()}`, {
      cause: error,
    });
  });
  const soundAfterMs = (await heardAt) - clickedAt;
  const soundAt = Date.now();
  return { place, visitor, sessionId: await sessionOf(page), soundAfterMs, soundAt };
}

/** Both go before others, as what makes sound in a browser does: a media server has a machine to itself. */
export function carriesSound(livekit: LivekitServer, { server }: VoiceProduct): void {
  soundFirst(livekit.pid);
  soundFirst(server.pid);
}

export function livekitAt({
  url,
  key,
  secret,
}: Pick<LivekitServer, "url" | "key" | "secret">): Record<string, string> {
  return { SVC_LIVEKIT_URL: url, SVC_LIVEKIT_KEY: key, SVC_LIVEKIT_SECRET: secret };
}

/** The ways that a session's sound was moved to, in order. It begins on its socket. */
export async function waysOf(
  { pool }: TestDatabase,
  sessionId: string,
): Promise<{ over: string; at: Date }[]> {
  const { rows } = await pool.query<{ over: string; at: Date }>(
    "SELECT detail->>'over' AS over, at FROM session_events WHERE session_id = $1 AND kind = 'transport' ORDER BY seq",
    [sessionId],
  );
  return rows;
}
