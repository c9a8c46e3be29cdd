import { randomBytes } from "node:crypto";
import { hashToken } from "#platform";
import fc from "fast-check";
import { expect, it } from "vitest";
import { interleavings, playInterleaving } from "./credentials-under-test.ts";
import type { CredentialStore } from "./credentials-under-test.ts";
import { afterClaim, afterFrame, opens } from "./credentials.ts";
import type { Credentials } from "./credentials.ts";

const newToken = (): string => randomBytes(16).toString("base64url");

/** The rules alone, on one row. */
function inMemory(settle: typeof afterFrame = afterFrame): CredentialStore {
  const ticket = newToken();
  let row: Credentials = { ticketHash: hashToken(ticket), resumeHash: null, previousHash: null };
  let holder: { process: number; epoch: number } = { process: -1, epoch: 0 };
  return {
    ticket,
    claim: async (credential, process) => {
      if (!opens(credential, row, true)) return undefined;
      const resumeToken = newToken();
      row = afterClaim(credential, row, hashToken(resumeToken));
      if (holder.process !== process) holder = { process, epoch: holder.epoch + 1 };
      return { resumeToken, epoch: holder.epoch };
    },
    hear: async (resumeToken) => {
      if (row.resumeHash?.equals(hashToken(resumeToken)) === true) row = settle(row);
    },
    renewTicket: async () => {
      if (row.resumeHash !== null) return undefined;
      const renewed = newToken();
      row = { ...row, ticketHash: hashToken(renewed) };
      return renewed;
    },
    speaks: async (epoch) => epoch === holder.epoch,
  };
}

// A5, V5
it("after its first frame the page's conversation opens to no older credential, in 10,000 interleavings", async () => {
  const property = (settle?: typeof afterFrame) =>
    fc.asyncProperty(interleavings, (steps) => playInterleaving(inMemory(settle), steps));
  await fc.assert(property(), { numRuns: 10_000, seed: 31 });
  // The control: where the first frame changes nothing, a copied ticket opens it.
  const { failed, errorInstance } = await fc.check(
    property((row) => row),
    { numRuns: 10_000, seed: 31 },
  );
  expect([failed, String(errorInstance)]).toEqual([true, "Error: an older credential opened it"]);
});
