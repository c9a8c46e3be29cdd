import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { buildSdk, SDK_FILES } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";

/** In thousands of bytes after brotli. */
const LIMITS: [file: RegExp, most: number][] = [
  [/^sdk\.js$/, 6],
  [/^call\.\w+\.js$/, 10],
  [/^avatar\.\w+\.js$/, 3],
  [/^content\.\w+\.js$/, 3],
  [/^strings-\w+\.\w+\.js$/, 2.5],
  [/^(?:sound|worklets)\.\w+\.js$/, 1.4],
  [/^ladder\.\w+\.js$/, 3.5],
  [/^later\.\w+\.js$/, 5.5],
];

export default defineProof({
  covers: [],
  claims: {
    "sdk-stays-small": {
      promise: "What a page and its visitor load stays small",
      bound:
        "sdk.js ≤ 6.0 KB, call ≤ 10, the avatar ≤ 3, slides ≤ 3, a language ≤ 2.5, sound 2 × 1.4, help with the microphone ≤ 3.5, what comes after the first words ≤ 5.5",
      tier: "nightly",
      prove: async ({ say }) => {
        const built = await buildSdk();
        const sizes = new Map(
          built
            .filter((name) => name.endsWith(".js"))
            .map((name) => [name, brotliKilobytes(readFileSync(join(SDK_FILES, name)))]),
        );
        let tooLarge = 0;
        for (const [name, size] of sizes) {
          const most = LIMITS.find(([file]) => file.test(name))?.[1];
          const isFine = most !== undefined && size <= most;
          if (!isFine) tooLarge += 1;
          say(
            `${name.padEnd(28)} ${size.toFixed(2)} KB of ${most ?? "a limit that nobody has set"}`,
          );
        }
        const core = sizes.get("sdk.js") ?? Number.NaN;

        // Ten kilobytes of noise in sdk.js must be noticed.
        const noise = Buffer.from(
          Array.from({ length: 5_000 }, (_, i) => `${(i * 7_919) % 65_521};`).join(""),
        );
        const planted = brotliKilobytes(
          Buffer.concat([readFileSync(join(SDK_FILES, "sdk.js")), noise]),
        );
        say(`control: with five thousand numbers added sdk.js takes ${planted.toFixed(1)} KB`);

        return {
          figure: `sdk.js ${core.toFixed(2)} KB, ${tooLarge} too large`,
          ok: tooLarge === 0 && planted > 6 && sizes.size >= 7,
        };
      },
    },
  },
});

function brotliKilobytes(bytes: Buffer): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
  return brotliCompressSync(bytes, { params }).length / 1_000;
}
