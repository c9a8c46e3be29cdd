import type { MailSettings } from "../mail/mail-settings.ts";

interface Keyed {
  url: string | undefined;
  key: string | undefined;
}

/** A service and its fallback, as they may be logged: whether there is a key, not which. */
export function withoutKeys<One extends Keyed>(given: {
  first: One;
  fallback: One | undefined;
}): Record<string, unknown> {
  const { first, fallback } = given;
  return { first: withoutKey(first), fallback: fallback && withoutKey(fallback) };
}

function withoutKey({ key, url, ...rest }: Keyed): Record<string, unknown> {
  return { ...rest, url: url && withoutPassword(url), key: key !== undefined };
}

export function withoutMailSecrets({ url, dkim, ...rest }: MailSettings): Record<string, unknown> {
  const signature = dkim && { domain: dkim.domain, selector: dkim.selector };
  return { ...rest, url: withoutPassword(url), dkim: signature };
}

export function withoutPassword(url: string): string {
  const parsed = new URL(url);
  if (parsed.password !== "") parsed.password = "redacted";
  // `pg` takes settings behind the question mark too, the password among them.
  parsed.search = "";
  return parsed.href;
}
