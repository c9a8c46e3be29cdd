import type { CardWords, LiveWarning } from "@svc/contract/types";
import { fill } from "./fill.ts";

export function warningText({ warning, seconds_left }: LiveWarning, words: CardWords): string {
  return warning === "idle"
    ? words.idle_warning
    : fill(words.time_warning, { minutes: Math.ceil(seconds_left / 60) });
}
