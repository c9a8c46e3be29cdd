import { fateOf } from "./fate.ts";
import { describeDelivery, isTaken } from "./judge-deliveries.ts";
import type { Witnessed } from "./judge-deliveries.ts";

const MOST_ATTEMPTS = 3;

/** What is wrong with a delivery that crashes of ours may have hit. */
export function survivalFaults({ delivery, requests }: Witnessed): string[] {
  const { attempts, state, orphans, bodySha256 } = delivery;
  const checks: [isWrong: boolean, what: string][] = [
    [attempts.length > MOST_ATTEMPTS, "a fourth outcome"],
    // Each crash may cost the receiver one request that we know nothing of.
    [requests.length > attempts.length + orphans, "more requests than outcomes and crashes"],
    [requests.length < attempts.length, "an outcome without a request"],
    [
      attempts.slice(0, -1).some(({ status }) => isTaken(status)),
      "another attempt after a success",
    ],
    [
      state === "delivered" && !requests.some((one) => fateOf(one) === "taken"),
      "delivered, not taken",
    ],
    [state === "exhausted" && attempts.length < MOST_ATTEMPTS, "given up too early"],
    [state !== "delivered" && state !== "exhausted", `left ${state}`],
    [requests.some(({ bodySha256: sent = bodySha256 }) => sent !== bodySha256), "other bytes"],
  ];
  return checks
    .filter(([isWrong]) => isWrong)
    .map(([, what]) => `${what}: ${describeDelivery(delivery, requests)}`);
}
