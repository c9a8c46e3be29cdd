import type { StartChallenge } from "@svc/contract/types";

/** Tried at once. Between them the page can react to the visitor. */
const BATCH = 500;
/** Far above what the server asks for: a challenge without a solution must come to an end. */
const MAX_COUNTER = 1_000_000;

/** Returns what the start sends as `challenge_solution`. Needs a secure context, as `crypto.subtle` does. */
export async function solveChallenge(challenge: StartChallenge): Promise<string> {
  const { nonce, salt, keyPrefix } = challenge.parameters;
  const known = bytesOf(salt + nonce);
  const prefix = bytesOf(keyPrefix);

  async function keyOf(counter: number): Promise<Uint8Array> {
    const tried = new Uint8Array(known.length + 4);
    tried.set(known);
    new DataView(tried.buffer).setUint32(known.length, counter);
    return new Uint8Array(await crypto.subtle.digest("SHA-256", tried));
  }

  for (let first = 0; first < MAX_COUNTER; first += BATCH) {
    const keys = await Promise.all(Array.from({ length: BATCH }, (_, n) => keyOf(first + n)));
    const found = keys.findIndex((key) => prefix.every((byte, at) => key[at] === byte));
    if (found >= 0) {
      const solution = { counter: first + found, derivedKey: hexOf(keys[found]!) };
      return btoa(JSON.stringify({ challenge, solution }));
    }
    await new Promise((resume) => setTimeout(resume));
  }
  throw new Error("The challenge has no solution.");
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
