import { askForPage } from "./ask-for-page.ts";
import { RawConnection } from "./raw-connection.ts";

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
