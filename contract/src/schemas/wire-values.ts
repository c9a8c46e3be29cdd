import * as z from "zod";

/** A key is present only when it has a value, and `""` is none. */
export const text: z.ZodString = z.string().min(1);

/** RFC 3339, with or without fractional seconds. */
export const timestamp: z.ZodISODateTime = z.iso.datetime({ offset: true });
