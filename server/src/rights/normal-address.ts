import { AppError } from "#platform";
import { normalizeEmail } from "#sessions";

/** An address as sessions keep it. The message does not repeat what was typed: it may end in a log. */
export function normalAddress(typed: string): string {
  const address = normalizeEmail(typed);
  if (address !== undefined) return address;
  throw new AppError("invalid_input", {
    what: "That is no mail address.",
    why: "A person is found by an address such as ada@example.com.",
    fix: "Write the whole address, or name a conversation with --session.",
  });
}
