import * as z from "zod";
import { parseSecretKeys } from "../secrets.ts";
import type { SecretKey } from "../secrets.ts";

/** Schemas of environment variables' values, for the configuration. */

export function databaseUrl(): z.ZodString {
  const shape = "must look like postgres://user:password@host:5432/database";
  return z
    .string({ error: "is required" })
    .regex(/^postgres(?:ql)?:\/\/[^@/]+@/, shape)
    .refine((url) => URL.canParse(url), shape);
}

export function httpUrl(example: string): z.ZodType<string> {
  return z
    .url({
      protocol: /^https?$/,
      error: ({ input }) => (input === undefined ? "is required" : `must look like ${example}`),
    })
    .transform((url) => url.replace(/\/+$/, ""));
}

export function onOff(): z.ZodType<boolean, "on" | "off"> {
  return z.enum(["on", "off"]).transform((word) => word === "on");
}

export function port(): z.ZodType<number> {
  return z.coerce.number().int().min(0).max(65_535);
}

export function list(): z.ZodType<string[], string> {
  return z.string().transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );
}

/** The message says which of the keys is wrong, and nothing of what it holds. */
export function secretKeys(): z.ZodType<[SecretKey, ...SecretKey[]], string> {
  return z.string().transform((text, context) => {
    try {
      return parseSecretKeys(text);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  });
}
