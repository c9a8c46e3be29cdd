import { quantile } from "../../runner/figures.ts";
import { askForPage } from "./export-request.ts";
import type { KnownAccount } from "./known-account.ts";
import { RawConnection } from "./raw-answer.ts";

const GUESSERS = 40;
/** A guess waits a second once there are too many; who knows a token must not. */
const MIN_GUESS_MS = 900;
const MAX_SOUND_MS = 500;

/**
 * Guesses from one address, as fast as the server lets it, and asks with the right token from the
 * same address meanwhile: guesses are slowed down and their answer never changes, the token is not.
 * Returns what is wrong, in words.
 */
export async function checkGuessing(options: {
  url: string;
  known: KnownAccount;
  forMs: number;
  onRequest(): void;
  say(line: string): void;
}): Promise<string[]> {
  const { token, clientId, foreignToken, revokedToken } = options.known;
  const endAt = performance.now() + options.forMs;
  const faults = new Set<string>();
  const askOnAndOn = async (authorization: string, right: number): Promise<number[]> => {
    const tookMs: number[] = [];
    const bodies = new Set<string>();
    const connection = await RawConnection.open(options.url);
    while (performance.now() < endAt && connection.isOpen) {
      const startedAt = performance.now();
      const { answer, fault } = await askForPage(connection, authorization, right);
      tookMs.push(performance.now() - startedAt);
      options.onRequest();
      bodies.add(answer?.body.toString() ?? "");
      if (fault !== undefined) faults.add(`while guessing: ${fault}`);
    }
    connection.close();
    if (bodies.size > 1) faults.add(`while guessing: ${bodies.size} different answers`);
    return tookMs;
  };

  const guesses = [
    `Bearer ${revokedToken}`,
    `Bearer ${token.slice(0, -1)}`,
    `Basic ${btoa(`${clientId}:${foreignToken}`)}`,
  ];
  const [soundMs, ...guessMs] = await Promise.all([
    askOnAndOn(`Bearer ${token}`, 200),
    ...Array.from({ length: GUESSERS }, (_, n) => askOnAndOn(guesses[n % guesses.length]!, 401)),
  ]);
  const guessP90 = quantile(guessMs.flat(), 0.9);
  const soundP95 = quantile(soundMs, 0.95);
  options.say(
    `guessing from one address: ${guessMs.flat().length} guesses took up to ${guessP90.toFixed(0)} ms (p90), ` +
      `${soundMs.length} requests with the right token beside them up to ${soundP95.toFixed(1)} ms (p95)`,
  );
  if (!(guessP90 >= MIN_GUESS_MS)) faults.add("guesses are not slowed down");
  if (!(soundP95 <= MAX_SOUND_MS)) faults.add("guesses hold up the right token");
  return [...faults];
}

/** For the environment of the server. */
export const FIVE_REQUESTS: Record<string, string> = {
  SVC_EXPORT_BURST: "5",
  SVC_EXPORT_RATE: "0.01",
};

/** A server that lets a token ask five times tells the sixth when to come back, and counts no guesses. Returns what is wrong, in words. */
export async function checkRateLimit(url: string, token: string): Promise<string[]> {
  const connection = await RawConnection.open(url);
  const faults: (string | undefined)[] = [];
  for (let guess = 0; guess < 10; guess++) {
    faults.push((await askForPage(connection, `Bearer ${token}x`, 401)).fault);
  }
  for (let time = 0; time < 5; time++) {
    faults.push((await askForPage(connection, `Bearer ${token}`, 200)).fault);
  }
  const { answer, fault } = await askForPage(connection, `Bearer ${token}`, 429);
  connection.close();
  const wait = answer?.headers.find(([name]) => name === "retry-after")?.[1] ?? "";
  faults.push(fault, /^[1-9]\d*$/.test(wait) ? undefined : `429 with Retry-After "${wait}"`);
  return faults.filter((one) => one !== undefined).map((one) => `at the rate limit: ${one}`);
}
