import * as z from "zod";
import { addressKind } from "../egress/address-guard.ts";
import { jsonOrUndefined } from "../parse-json.ts";
import { isIP } from "node:net";

/** A service as visitors read of it. Nothing at all is known of one inside the operator's own network. */
export interface NamedService {
  name?: string;
  host?: string;
  /** For how many days it keeps what it gets, as far as the operator has said so. */
  days?: number;
  /** Its own page about that. */
  privacy?: string;
}

/** What the operator says of services, by their host. */
export type ServiceNames = ReadonlyMap<string, Omit<NamedService, "host">>;

const Names = z.record(
  z.string().regex(/^[a-z0-9.:-]+$/),
  z.strictObject({
    name: z.string().trim().min(1).max(200),
    days: z.int().min(0).max(3_650).optional(),
    privacy: z.url({ protocol: /^https$/ }).optional(),
  }),
);

export function serviceNames(): z.ZodType<ServiceNames, string> {
  return z.string().transform((text, context) => {
    const read = Names.safeParse(jsonOrUndefined(text));
    if (read.success) return new Map(Object.entries(read.data)) as ServiceNames;
    context.addIssue(
      'must be JSON such as {"api.example.com": {"name": "Example Ltd, Dublin", "days": 30, "privacy": "https://example.com/privacy"}}, each under its host in small letters',
    );
    return z.NEVER;
  });
}

/**
 * What visitors may read of the service at an address: never more than its host. Where the operator has named it, the
 * name stands for it.
 *
 * @param publicUrl what is at this host is the operator's own.
 */
export function namedService(url: string, names: ServiceNames, publicUrl: string): NamedService {
  const host = hostOf(url);
  const given = names.get(host);
  if (given !== undefined) return given;
  if (host === hostOf(publicUrl) || isInside(host)) return {};
  const [, name] = COMPANIES.find(([domain]) => `.${host}`.endsWith(`.${domain}`)) ?? [];
  return { ...(name !== undefined && { name }), host };
}

export function hostOf(url: string): string {
  return new URL(url).hostname.toLowerCase().replace(/^\[|\]$|\.$/g, "");
}

/** By its name or number alone: nobody is asked. */
function isInside(host: string): boolean {
  if (isIP(host) !== 0) return addressKind(host) !== "public";
  return !host.includes(".") || INSIDE.some((domain) => host.endsWith(domain));
}

/** Domains that no public name server answers for, and those that are usual inside. */
const INSIDE = [
  ".internal",
  ".local",
  ".localhost",
  ".localdomain",
  ".lan",
  ".home.arpa",
  ".intranet",
  ".private",
  ".corp",
];

/** Whose domains are in common use here. */
const COMPANIES: [domain: string, name: string][] = [
  ["openai.com", "OpenAI"],
  ["azure.com", "Microsoft Azure"],
  ["anthropic.com", "Anthropic"],
  ["googleapis.com", "Google"],
  ["mistral.ai", "Mistral AI"],
  ["openrouter.ai", "OpenRouter"],
  ["groq.com", "Groq"],
  ["deepgram.com", "Deepgram"],
  ["cartesia.ai", "Cartesia"],
  ["elevenlabs.io", "ElevenLabs"],
  ["amazonaws.com", "Amazon Web Services"],
  ["sendgrid.net", "Twilio SendGrid"],
  ["mailgun.org", "Mailgun"],
  ["postmarkapp.com", "Postmark"],
];
