import { kit } from "../kit.ts";

/** Tells the page's developer why visitors do not read what the page has set. */
export function hintAtNotice(): void {
  kit.hint(
    "recordingNotice must be a text of at most 4,000 characters. The agent's own notice is shown.",
  );
}
