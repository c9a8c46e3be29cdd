import type { StartChallenge } from "@svc/contract/types";
import { expect, test } from "vitest";
import { solveChallenge } from "./solve-challenge.ts";

/** Made and solved by altcha-lib 2.8.0. */
const CHALLENGE: StartChallenge = {
  parameters: {
    algorithm: "SHA-256",
    cost: 1,
    data: { agent_id: "agent_a", start_key: "k" },
    expiresAt: 1_800_000_000,
    keyLength: 32,
    keyPrefix: "fe462ce8a768d6a8e4cdf60c2775eb24",
    nonce: "8b5a80dbd05cdd638d58f7dc128be435",
    salt: "7c5fac5fe38d54f437a27b4de68be384",
  },
  signature: "e482c20f18ece98cd1221c075c260ed38bb6c86932be3f1d861cdd8903293467",
};
const SOLUTION = {
  counter: 1_234,
  derivedKey: "fe462ce8a768d6a8e4cdf60c2775eb24856323031d80de2d611fa3aa8f483365",
};

test("a challenge is solved as the server's library solves it, and sent back as it came", async () => {
  const sent: unknown = JSON.parse(atob(await solveChallenge(CHALLENGE)));
  expect(sent).toEqual({ challenge: CHALLENGE, solution: SOLUTION });
});

test("the page can react while a challenge is being solved", async () => {
  let reacted = 0;
  const clicking = setInterval(() => reacted++, 0);
  await solveChallenge(CHALLENGE);
  clearInterval(clicking);
  expect(reacted).toBeGreaterThan(0);
});
