import { ENGINES } from "./browsers/browser.ts";
import { documentedClaims } from "./core/documented.ts";
import { seeClaims } from "./core/see-claims.ts";
import { ENTRY_CLAIMS } from "./core/widget-claims.ts";
import { defineProof } from "./runner/proof.ts";

/** Faults planted in a loaded SDK, and the sentence that each makes untrue. */
const BROKEN: [says: string, plant: string][] = [
  [
    "position top-left is top left",
    "const show = Svc.widget.show; Svc.widget.configure = () => {};",
  ],
  [
    "mount twice replaces",
    "const mount = Svc.hero.mount; let once; Svc.hero.mount = (...all) => { if (!once) { once = true; mount(...all); } };",
  ],
  ["show and hide display and hide it", "Svc.widget.hide = () => {};"],
];

// V10
export default defineProof({
  covers: [],
  claims: {
    "sdk-does-what-it-says": {
      promise:
        "Widget, hero and form do what the specification and the documentation say, sentence by sentence",
      bound: "0 sentences untrue in Chromium, Firefox and WebKit, a broken SDK is noticed",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async (tools) => {
        const claims = [...ENTRY_CLAIMS, ...documentedClaims("widget-and-hero.md")];
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
