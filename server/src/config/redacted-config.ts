import type { MailSettings } from "#platform";
import type { Config } from "./server-config.ts";

/** What may be logged at start: addresses of databases without their passwords. */
export function redactedConfig(config: Config): Record<string, unknown> {
  return {
    ...config,
    databaseUrl: withoutPassword(config.databaseUrl),
    exportDatabaseUrl: withoutPassword(config.exportDatabaseUrl),
    conversation: config.conversation && {
      ...config.conversation,
      models: withoutKeys(config.conversation.models),
      speech: config.conversation.speech && {
        hearing: withoutKeys(config.conversation.speech.hearing),
        voice: withoutKeys(config.conversation.speech.voice),
      },
    },
    models: config.models && withoutKeys(config.models),
    webhooks: config.webhooks && {
      ...config.webhooks,
      secretKeys: config.webhooks.secretKeys.map(({ id }) => id),
    },
    secretKeys: config.secretKeys?.map(({ id }) => id),
    mail: config.mail && withoutMailSecrets(config.mail),
  };
}

interface Keyed {
  url: string | undefined;
  key: string | undefined;
}

/** A service and its fallback, as they may be logged: whether there is a key, not which. */
function withoutKeys<One extends Keyed>(given: {
  first: One;
  fallback: One | undefined;
}): Record<string, unknown> {
  const { first, fallback } = given;
  return { first: withoutKey(first), fallback: fallback && withoutKey(fallback) };
}

function withoutKey({ key, url, ...rest }: Keyed): Record<string, unknown> {
  return { ...rest, url: url && withoutPassword(url), key: key !== undefined };
}

function withoutMailSecrets({ url, dkim, ...rest }: MailSettings): Record<string, unknown> {
  const signature = dkim && { domain: dkim.domain, selector: dkim.selector };
  return { ...rest, url: withoutPassword(url), dkim: signature };
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  if (parsed.password !== "") parsed.password = "redacted";
  // `pg` takes settings behind the question mark too, the password among them.
  parsed.search = "";
  return parsed.href;
}
