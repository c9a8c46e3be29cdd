import { AppError } from "#platform";

/** A whole number that was typed. Undefined stays undefined. */
export function parseNumber(
  text: string | undefined,
  name: string,
  range: { least: number; most: number },
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (number >= range.least && number <= range.most) return number;
  throw new AppError("invalid_input", {
    what: `"${text}" is no ${name}.`,
    why: `It is a whole number from ${range.least} to ${range.most}.`,
    fix: "Give one, in digits.",
  });
}

/** Of lists: how many rows are shown at most. */
export const ROWS = { least: 1, most: 1_000 } as const;
