import { firstWordFast } from "./browser-voice/first-word-fast.ts";
import { microphoneFallback } from "./browser-voice/microphone-fallback.ts";
import { ownVoiceDoesNotInterrupt } from "./browser-voice/own-voice-does-not-interrupt.ts";
import { silenceWhenCut } from "./browser-voice/silence-when-cut.ts";
import { talkingInTwenty } from "./browser-voice/talking-in-twenty.ts";
import { buildSdk } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import { openTalkStage } from "./voice/talk-stage.ts";
import type { TalkStage } from "./voice/talk-stage.ts";

/** Several seconds, so that it can be interrupted. */
const GREETING =
  "Hello and welcome, I am the guide to this page: ask me what you want to know, and I will show it to you.";

/** Talks by voice in a real browser, on a page that records what goes through its microphone and its loudspeaker. */
export default defineProof<TalkStage>({
  covers: ["sdk/src/", "server/src/conversation/", "server/src/live/"],
  open: async ({ onEnd }) => {
    await buildSdk();
    return openTalkStage(onEnd, GREETING);
  },
  claims: {
    "first-word-fast": firstWordFast,
    "microphone-fallback": microphoneFallback,
    "own-voice-does-not-interrupt": ownVoiceDoesNotInterrupt,
    "silence-when-cut": silenceWhenCut,
    "talking-in-twenty": talkingInTwenty,
  },
});
