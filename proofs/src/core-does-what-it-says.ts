import { ENGINES } from "./browsers/browser.ts";
import { CLAIMS } from "./core/claims.ts";
import { documentedClaims } from "./core/documented.ts";
import { seeClaims } from "./core/see-claims.ts";
import { defineProof } from "./runner/proof.ts";

/** Faults planted in a loaded SDK, and the sentence that each makes untrue. */
const BROKEN: [says: string, plant: string][] = [
  ["setMetadata replaces, and copies", "Svc.setMetadata = () => {};"],
  [
    "startDemo's metadata is merged over what setMetadata has set",
    "const start = Svc.startDemo; Svc.startDemo = () => start();",
  ],
  [
    "getLanguages lists the agent's languages, those of the visitor first",
    "const list = Svc.getLanguages; Svc.getLanguages = async () => (await list()).toSorted();",
  ],
];

export default defineProof({
  covers: [],
  claims: {
    "core-does-what-it-says": {
      promise:
        "The SDK's core does what the specification and the documentation say, sentence by sentence",
      bound: "0 sentences untrue in Chromium, Firefox and WebKit, a broken SDK is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async (tools) => {
        const claims = [...CLAIMS, ...documentedClaims("install.md")];
        const { untrue, tried, versions, unnoticed } = await seeClaims(claims, BROKEN, tools);
        return {
          figure: `${untrue} of ${tried} sentences untrue in ${versions.join(", ")}`,
          ok: untrue === 0 && unnoticed === 0 && tried === claims.length * ENGINES.length,
          engines: versions,
        };
      },
    },
  },
});
