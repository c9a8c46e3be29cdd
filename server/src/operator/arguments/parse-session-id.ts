import { AppError } from "#platform";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A session's id that was typed. Undefined stays undefined. */
export function parseSessionId(text: string | undefined): string | undefined {
  if (text === undefined || UUID.test(text.trim())) return text?.trim().toLowerCase();
  throw new AppError("invalid_input", {
    what: `"${text}" is no session id.`,
    why: "It looks like 01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f.",
    fix: "Run `svc sessions list` to see the newest.",
  });
}
