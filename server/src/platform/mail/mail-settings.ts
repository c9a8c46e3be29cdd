import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { isOneAddress } from "./mail.ts";
import { onOff } from "../settings/setting-values.ts";

/** Which mail server takes our mail, and whose name stands on it. */
export interface MailSettings {
  /** smtp:// or smtps://, user and password in it. */
  url: string;
  from: MailFrom;
  /** `off`: in clear, for a relay on the same machine or inside. */
  tls: "required" | "off";
  dkim?: DkimSettings;
  /** In place of the machine's own list of authorities. */
  trustedCertificates?: string;
  timeLimits?: MailTimeLimits;
}

export interface MailFrom {
  name?: string;
  address: string;
}

export interface DkimSettings {
  domain: string;
  selector: string;
  /** An RSA key in PEM. */
  key: string;
}

export interface MailTimeLimits {
  /** Up to the server's greeting. */
  connectMs: number;
  /** Without a word from it. */
  silenceMs: number;
  /** For all of it: a server that drips is never silent for long. */
  overallMs: number;
}

/** The environment variables of the mail settings. */
export interface MailVariables {
  SVC_SMTP_URL: string | undefined;
  SVC_MAIL_FROM: MailFrom | undefined;
  SVC_SMTP_TLS: boolean;
  SVC_DKIM_DOMAIN: string | undefined;
  SVC_DKIM_SELECTOR: string | undefined;
  SVC_DKIM_KEY_FILE: string | undefined;
}

/** For the configuration's schema. */
export const mailVariables: { [Name in keyof MailVariables]: z.ZodType<MailVariables[Name]> } = {
  SVC_SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must look like smtps://user:password@mail.example.com" })
    .optional()
    .describe(
      "The mail server: smtp:// or smtps://, with user and password where it needs them; without it no mail is sent",
    ),
  SVC_MAIL_FROM: z
    .string()
    .transform(readFrom)
    .optional()
    .describe('Who mail is from: "Name <address>", or the address alone; needs SVC_SMTP_URL'),
  SVC_SMTP_TLS: onOff()
    .default(true)
    .describe("`off` sends in clear: only for a relay on the same machine or inside"),
  SVC_DKIM_DOMAIN: z.string().optional().describe("The domain that signs mail"),
  SVC_DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9.-]+$/i, "must be letters, digits and hyphens")
    .optional()
    .describe("Where that domain publishes the key: the part before ._domainkey"),
  SVC_DKIM_KEY_FILE: z
    .string()
    .transform(readRsaKey)
    .optional()
    .describe("A file with the RSA key that signs mail, in PEM"),
};

/** Returns the variables that are missing, if some but not all are set. */
export function missingMail(env: MailVariables): (keyof MailVariables)[] {
  const dkim = ["SVC_DKIM_DOMAIN", "SVC_DKIM_SELECTOR", "SVC_DKIM_KEY_FILE"] as const;
  const signs = dkim.some((name) => env[name] !== undefined);
  const sends = signs || env.SVC_SMTP_URL !== undefined || env.SVC_MAIL_FROM !== undefined;
  const needed = [
    ...(sends ? (["SVC_SMTP_URL", "SVC_MAIL_FROM"] as const) : []),
    ...(signs ? dkim : []),
  ];
  return needed.filter((name) => env[name] === undefined);
}

/** Undefined where no mail is sent. */
export function mailSettings(env: MailVariables): MailSettings | undefined {
  const { SVC_SMTP_URL: url, SVC_MAIL_FROM: from } = env;
  const tls = env.SVC_SMTP_TLS ? "required" : "off";
  if (url === undefined || from === undefined) return undefined;
  const { SVC_DKIM_DOMAIN: domain, SVC_DKIM_SELECTOR: selector, SVC_DKIM_KEY_FILE: key } = env;
  const signs = domain !== undefined && selector !== undefined && key !== undefined;
  return { url, from, tls, ...(signs && { dkim: { domain, selector, key } }) };
}

function readFrom(text: string, context: z.RefinementCtx): MailFrom {
  const { name, address = text.trim() } =
    /^(?<name>[^<>]*)<(?<address>[^<>]+)>$/.exec(text.trim())?.groups ?? {};
  if (!isOneAddress(address)) {
    context.addIssue('must look like "Example <hello@example.com>"');
    return z.NEVER;
  }
  const called = name?.trim().replace(/^"(.*)"$/, "$1");
  return { address, ...(called !== undefined && called !== "" && { name: called }) };
}

/** Read at start: a signature that fails later would only be missing. */
function readRsaKey(path: string, context: z.RefinementCtx): string {
  try {
    const key = readFileSync(path, "utf8");
    if (createPrivateKey(key).asymmetricKeyType === "rsa") return key;
  } catch {
    // The same words for a missing file and for one that holds no key.
  }
  context.addIssue("must name a readable file with an RSA private key in PEM");
  return z.NEVER;
}
