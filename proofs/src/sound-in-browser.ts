import { defineProof } from "./runner/proof.ts";
import { browserCountsWhatItPlays } from "./sound/browser-counts-what-it-plays.ts";
import { mouthFollowsSound } from "./sound/mouth-follows-sound.ts";

/** The SDK's sound on pages without a server. */
export default defineProof({
  covers: ["sdk/src/", "sdk/build/"],
  claims: {
    "browser-counts-what-it-plays": browserCountsWhatItPlays,
    "mouth-follows-sound": mouthFollowsSound,
  },
});
