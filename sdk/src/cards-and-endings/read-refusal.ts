import type { SdkErrorBody, SessionStart } from "@svc/contract/types";
import type * as ChallengeChunk from "../challenge/solve-challenge.ts";

/** What stands in its file's name, written in by the build. */
declare const CHALLENGE_HASH: string;

/** Returns why a start was refused. Throws once a challenge is solved: the start, sent again, holds the solution. */
export async function readRefusal(
  response: Response,
  start: SessionStart,
): Promise<{ refused: string }> {
  const { error } = (await response.json()) as SdkErrorBody;
  // Pages without TLS have no crypto.subtle, and cannot solve any.
  if (error.challenge === undefined || !isSecureContext) return { refused: error.code };
  const chunk = new URL(`challenge.${CHALLENGE_HASH}.js`, import.meta.url).href;
  const { solveChallenge }: typeof ChallengeChunk = await import(/* @vite-ignore */ chunk);
  start.challenge_solution = await solveChallenge(error.challenge);
  throw new Error("solved");
}
