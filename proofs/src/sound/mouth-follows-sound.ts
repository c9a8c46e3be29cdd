import { speak } from "@svc/rehearsal";
import { openBrowser } from "../browsers/browser.ts";
import { writeWav } from "../browsers/write-wav.ts";
import { judgeMouth } from "../faces/judge-mouth.ts";
import { mouthOf, openMouthSite } from "../faces/mouth-page.ts";
import { sing, VOWELS } from "../faces/vowels.ts";
import type { Claim } from "../runner/proof.ts";

const SAID =
  "Hello, I am your guide. Ask me anything, and I will show you how the weekly report is made.";
const BOUND = { correlation: 0.8, shut: 0.95, lagMs: 80 };
const VOWEL_MS = 500;
const PAUSE_MS = 300;
const RATE = 16_000;

export const mouthFollowsSound: Claim<undefined> = {
  promise: "The mouth of the agent's face follows what is heard",
  bound:
    "opening and loudness correlate ≥ 0.8 at a lag ≤ 80 ms, shut in ≥ 95 % of silence, open vowels wider than closed ones; a face that is late is noticed",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ say, onEnd }) => {
    const site = await openMouthSite();
    onEnd(() => site.close());
    const browser = await openBrowser("chromium", {
      microphone: writeWav(onEnd, new Int16Array(RATE), RATE),
    });
    onEnd(() => browser.close());
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.clickAt(20, 20);
    await page.run(async () => void (await window.opened));

    const words = (await speak(SAID, { voice: "slt" })).pcm;
    const pause = new Int16Array((RATE * PAUSE_MS) / 1_000);
    const speech = Int16Array.from([...words, ...pause, ...words.slice(0, RATE)]);
    const spoken = judgeMouth(await mouthOf(page, speech, RATE));
    say(
      `speech: correlation ${spoken.correlation.toFixed(2)} at ${spoken.lagMs} ms, shut in ${percent(spoken.shut)} of ${spoken.silentFrames} silent frames`,
    );

    const vowels = VOWELS.map(({ formants }) => sing(formants, VOWEL_MS, RATE));
    const song = Int16Array.from(
      vowels.flatMap((vowel) => [...vowel, ...pause]),
      (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767),
    );
    const { heard, seen } = await mouthOf(page, song, RATE);
    const beganAt = heard.find(([, power]) => power > 1e-6)![0];
    const widths = VOWELS.map((_, index) => {
      const from = beganAt + (index * (VOWEL_MS + PAUSE_MS) + 150) / 1_000;
      const held = seen.filter(([at]) => at > from && at < from + (VOWEL_MS - 200) / 1_000);
      return held.reduce((sum, [, open]) => sum + open, 0) / held.length;
    });
    say(`vowels: ${VOWELS.map(({ name }, at) => `${name} ${widths[at]!.toFixed(1)}`).join(", ")}`);
    const widthsOf = (isOpen: boolean): number[] =>
      widths.filter((_, at) => VOWELS[at]!.isOpen === isOpen);
    const isWider = Math.min(...widthsOf(true)) > Math.max(...widthsOf(false));
    const sung = judgeMouth({ heard, seen });
    say(`between them: shut in ${percent(sung.shut)} of ${sung.silentFrames} silent frames`);

    await page.run(() => void Object.assign(window, { isLate: true }));
    const late = judgeMouth(await mouthOf(page, song, RATE));
    say(`control, a face that is late: ${late.lagMs} ms, shut in ${percent(late.shut)} of silence`);

    const shut = Math.min(spoken.shut, sung.shut);
    return {
      figure: `correlation ${spoken.correlation.toFixed(2)}, lag ${spoken.lagMs} ms, shut in ${percent(shut)} of silence, open vowels ${isWider ? "" : "not "}wider`,
      ok:
        spoken.correlation >= BOUND.correlation &&
        spoken.lagMs <= BOUND.lagMs &&
        shut >= BOUND.shut &&
        spoken.silentFrames > 0 &&
        isWider &&
        late.lagMs > BOUND.lagMs &&
        late.shut < BOUND.shut,
      engines: [browser.version],
    };
  },
};

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
