import { defineProof } from "./runner/proof.ts";
import { answerIsQuick } from "./voice/answer-is-quick.ts";
import { cutIsQuick } from "./voice/cut-is-quick.ts";
import { manyAtOnce } from "./voice/many-at-once.ts";
import { mhmDoesNotCut } from "./voice/mhm-does-not-cut.ts";
import { openTalkStage } from "./voice/talk-stage.ts";
import type { TalkStage } from "./voice/talk-stage.ts";
import { vanishedVisitorSettles } from "./voice/vanished-visitor-settles.ts";

/** Talks by voice without a browser: visitors whose microphone and loudspeaker run in real time. */
export default defineProof<TalkStage>({
  covers: ["server/src/conversation/", "server/src/live/", "server/src/sessions/", "patches/"],
  open: ({ onEnd }) => openTalkStage(onEnd),
  claims: {
    "answer-is-quick": answerIsQuick,
    "cut-is-quick": cutIsQuick,
    "many-at-once": manyAtOnce,
    "mhm-does-not-cut": mhmDoesNotCut,
    "vanished-visitor-settles": vanishedVisitorSettles,
  },
});
