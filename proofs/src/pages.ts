import { avatarStaysLight, faceIsThere } from "./pages/avatar-stays-light.ts";
import { callFollowsTheVisitor } from "./pages/call-follows-the-visitor.ts";
import { CORE_SENTENCES } from "./pages/core-sentences.ts";
import { ENTRY_SENTENCES } from "./pages/entry-sentences.ts";
import { everyoneCanCall } from "./pages/everyone-can-call.ts";
import { hostPageStaysWhole } from "./pages/host-page-stays-whole.ts";
import { nothingJumps } from "./pages/nothing-jumps.ts";
import { NOTICE_SENTENCES } from "./pages/notice-sentences.ts";
import { pageStaysFast } from "./pages/page-stays-fast.ts";
import { openPageStage } from "./pages/page-stage.ts";
import type { PageStage } from "./pages/page-stage.ts";
import { readsOnAPhone } from "./pages/reads-on-a-phone.ts";
import { samplesOf, seeSentences } from "./pages/see-sentences.ts";
import { showsWhatItSays } from "./pages/shows-what-it-says.ts";
import { whatRunsIsWhatWasBuilt } from "./pages/what-runs.ts";
import { defineProof } from "./runner/proof.ts";

/** The SDK on pages of customers, in real browsers. */
// S5, S6, V7, V10
export default defineProof<PageStage>({
  covers: [
    "contract/src/",
    "docs/guide/install.md",
    "docs/guide/widget-and-hero.md",
    "sdk/build/",
    "sdk/src/",
    "server/src/agents/",
    "server/src/api/",
    "server/src/live/",
  ],
  open: openPageStage,
  claims: {
    "sdk-does-what-it-says": {
      promise:
        "The SDK's core, widget, hero and form do what the specification and the documentation say, sentence by sentence",
      bound: "0 sentences untrue in Chromium, Firefox and WebKit, a broken SDK is noticed",
      formerly: ["core-does-what-it-says"],
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: (tools, stage) =>
        seeSentences(tools, stage, {
          ...CORE_SENTENCES,
          ...ENTRY_SENTENCES,
          ...samplesOf("install.md"),
          ...samplesOf("widget-and-hero.md"),
        }),
    },
    "notice-always-works": {
      promise:
        "Whatever a page sets as recordingNotice, visitors read a notice and find who hears them, before and during the call, and the demo starts",
      bound:
        "0 of every JSON type and 25 lengths and texts without a notice in Chromium, Firefox and WebKit, a planted fault is noticed",
      timeLimitSecs: { quick: 300 },
      tier: "nightly",
      prove: (tools, stage) => seeSentences(tools, stage, NOTICE_SENTENCES),
    },
    "host-page-stays-whole": hostPageStaysWhole,
    "what-runs-is-what-was-built": whatRunsIsWhatWasBuilt,
    "shows-what-it-says": showsWhatItSays,
    "call-follows-the-visitor": callFollowsTheVisitor,
    "everyone-can-call": everyoneCanCall,
    "nothing-jumps": nothingJumps,
    "page-stays-fast": pageStaysFast,
    "avatar-stays-light": avatarStaysLight,
    "face-is-there": faceIsThere,
    "reads-on-a-phone": readsOnAPhone,
  },
});
