import { startLanguageModel } from "@svc/rehearsal";
import { Random } from "@svc/tools/random";
import { playRetries } from "./deliveries/play-retries.ts";
import type { RetryFindings } from "./deliveries/play-retries.ts";
import { signatureCheckers } from "./deliveries/signature-checkers.ts";
import type { SignedRequest } from "./deliveries/signature-checkers.ts";
import { threeInTen, firstFail } from "./deliveries/trouble.ts";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const KEPT_SHARE = 0.999;
/** In real time: 23 receivers, each failing in its own way. */
const REAL = { retrySecs: 30, events: 2, gaps: 40 };
/** With time scaled: 11 receivers, each failing in any way. */
const SCALED_RETRY_SECS = 2;
/** The slowest delivery of a go: three attempts that time out. */
const GO_MS = 40_000;

// W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W14
export default defineProof({
  covers: [],
  claims: {
    "retries-keep-their-word": {
      promise:
        "A webhook that fails is tried three times, about 30 seconds apart, with the same signed bytes and in order",
      bound: `0 faults, gaps of 27 to 33 s in ≥ ${KEPT_SHARE * 100} %, signatures right by ${signatureCheckers.map(({ name }) => name).join(", ")}`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ seed, full, say, progress, onEnd, timeLeftMs }) => {
        const wanted = full ? 1_000_000 : 2_000;
        // A second failure of each would take half a minute more.
        const failures = full ? 2 : 1;
        const random = new Random(seed);
        const stage = await openStage();
        onEnd(() => stage.close());
        const model = await startLanguageModel();
        onEnd(() => model.close());

        const shared = {
          modelUrl: model.baseUrl,
          onEnd,
          mayWait: () => timeLeftMs() > 0,
        };
        const [real, [scaled, misjudged]] = await Promise.all([
          playRetries({
            ...shared,
            database: stage.database,
            trouble: firstFail(REAL.events * failures),
            retrySecs: REAL.retrySecs,
            evaluations: REAL.events,
            mayGoOn: () => false,
          }),
          playRetries({
            ...shared,
            database: await stage.cloneDatabase(),
            trouble: threeInTen(() => random.next()),
            retrySecs: SCALED_RETRY_SECS,
            evaluations: full ? 1_000 : 182,
            mayGoOn: (deliveries) => {
              progress(deliveries, wanted, "deliveries");
              return deliveries < wanted && timeLeftMs() > GO_MS;
            },
          }).then(async (found) => [found, await checkSignatures(found.signed)] as const),
        ]);

        describe("in real time", real);
        describe(`with time scaled to ${SCALED_RETRY_SECS} s`, scaled);
        for (const fault of [...real.faults, ...scaled.faults].slice(0, 10)) say(fault);
        for (const name of misjudged) say(`signatures: ${name}`);
        say(`seed ${seed}`);

        const kept = Math.min(keptShare(real), keptShare(scaled));
        const faults = real.faults.length + scaled.faults.length;
        return {
          figure: `${faults} faults in ${count(real.deliveries + scaled.deliveries)} deliveries, gaps kept in ${(kept * 100).toFixed(2)} %, in real time ${seconds(real, 0)} to ${seconds(real, 1)} s, ${misjudged.length} of ${signatureCheckers.length} find a wrong signature`,
          ok:
            faults + misjudged.length === 0 &&
            kept >= KEPT_SHARE &&
            real.gaps.gapsMs.length >= REAL.gaps &&
            scaled.deliveries >= 2_000,
          size: `${count(scaled.deliveries)} deliveries`,
        };

        function describe(how: string, { deliveries, outcomes, gaps }: RetryFindings): void {
          say(
            `${how}: ${count(deliveries)} deliveries, ${count(outcomes)} outcomes, ${count(gaps.gapsMs.length)} gaps; ${gaps.early} early, ${gaps.late} late, ${gaps.held} waited for a slot`,
          );
        }
      },
    },
  },
});

function keptShare({ gaps: { gapsMs, early, late } }: RetryFindings): number {
  return gapsMs.length === 0 ? 0 : 1 - (early + late) / gapsMs.length;
}

function seconds({ gaps }: RetryFindings, share: number): string {
  return (quantile(gaps.gapsMs, share) / 1_000).toFixed(1);
}

/** Names of those that call a right signature wrong, or a wrong one right. */
async function checkSignatures(signed: SignedRequest[]): Promise<string[]> {
  const tampered = signed.map(({ body, ...request }, index) => {
    const changed = Buffer.from(body);
    changed[index % changed.length]! ^= 1;
    return { ...request, body: changed };
  });
  const isRight = await Promise.all(
    signatureCheckers.map(async ({ check }) => {
      const verdicts = await check([...signed, ...tampered]);
      return verdicts.every((verdict, index) => verdict === index < signed.length);
    }),
  );
  return signatureCheckers
    .filter((_, index) => !isRight[index] || signed.length === 0)
    .map(({ name }) => name);
}

function count(number: number): string {
  return number.toLocaleString("en");
}
