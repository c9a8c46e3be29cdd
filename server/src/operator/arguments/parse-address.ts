import { AppError } from "#platform";
import { normalizeEmail } from "#sessions";

/** A mail address that was typed, as sessions keep it. The message does not repeat it: it may end in a log. */
export function parseAddress(typed: string): string {
  const address = normalizeEmail(typed);
  if (address !== undefined) return address;
  throw new AppError("invalid_input", {
    what: "That is no mail address.",
    why: "One looks like ada@example.com.",
    fix: "Write the whole address, without a name or brackets around it.",
  });
}
