import type { NoticeMaxCharacters } from "@svc/contract/types";
import { loadChunk } from "./load-chunk.ts";

const MAX_CHARACTERS: NoticeMaxCharacters = 4_000;

/**
 * The page's own notice, or undefined where visitors read the agent's instead: the service refuses a
 * session whose notice is empty or too long, and a notice without a letter or a digit cannot be read.
 * @param given `SvcConfig.recordingNotice`, which a page may set to anything.
 */
export function pageNotice(given: unknown): string | undefined {
  if (given === undefined) return undefined;
  const isReadable = typeof given === "string" && /[\p{L}\p{N}]/u.test(given);
  if (isReadable && given.length <= MAX_CHARACTERS) return given;
  void loadChunk("cards-and-endings").then(({ hintAtNotice }) => hintAtNotice());
  return undefined;
}
