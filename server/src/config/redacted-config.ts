import type { Config } from "./server-config.ts";

/**
 * Returns the configuration as it is logged at start. It is an allow-list: a setting that nobody has decided about does not
 * compile, so a new one cannot reach the log in clear.
 */
export function redactedConfig(config: Config): Record<string, unknown> {
  return shown(config, SHOWN);
}

/** The way in which each part of `Whole` is shown. */
type Shown<Whole> = { [Name in keyof Required<Whole>]: (value: Whole[Name]) => unknown };

function shown<Whole extends object>(whole: Whole, how: Shown<Whole>): Record<string, unknown> {
  const names = Object.keys(how) as (keyof Whole & string)[];
  return Object.fromEntries(names.map((name) => [name, how[name](whole[name])]));
}

/** The same for what may be absent. */
function optionally<Whole extends object>(
  how: Shown<Whole>,
): (whole: Whole | undefined) => Record<string, unknown> | undefined {
  return (whole) => whole && shown(whole, how);
}

type Models = NonNullable<Config["models"]>;
type Conversation = NonNullable<Config["conversation"]>;
type Speech = NonNullable<Conversation["speech"]>;
type Mail = NonNullable<Config["mail"]>;

const asIs = (value: unknown): unknown => value;
const isSet = (value: unknown): boolean => value !== undefined;
const keyIds = (keys: Config["secretKeys"]): string[] | undefined => keys?.map(({ id }) => id);

const model = optionally<Models["first"]>({
  url: origin,
  key: isSet,
  name: asIs,
  atOnce: asIs,
  isShared: asIs,
  timeoutMs: asIs,
  patience: asIs,
  price: asIs,
  isPriced: asIs,
  preset: asIs,
  // A field may hold a secret of a gateway's.
  body: (body) => body && Object.keys(body),
});
const models = optionally<Models>({ first: model, fallback: model });

const hearing = optionally<Speech["hearing"]["first"]>({
  provider: asIs,
  url: origin,
  key: isSet,
  model: asIs,
});
const voice = optionally<Speech["voice"]["first"]>({
  provider: asIs,
  url: origin,
  key: isSet,
  model: asIs,
  voice: asIs,
});

const SHOWN: Shown<Config> = {
  role: asIs,
  instance: asIs,
  release: asIs,
  cell: asIs,
  databaseUrl: database,
  exportDatabaseUrl: database,
  databaseWaitMs: asIs,
  migrate: asIs,
  host: asIs,
  port: asIs,
  opsHost: asIs,
  opsPort: asIs,
  publicUrl: originAndPath,
  securityContact: asIs,
  recipientNames: (names) => Object.fromEntries(names),
  oidc: optionally({ issuer: origin, clientId: asIs, clientSecret: isSet }),
  liveUrl: originAndPath,
  livekitUrl: origin,
  sdkFolder: asIs,
  consoleFolder: asIs,
  trustedProxies: asIs,
  publicRateFactor: asIs,
  connectionsPerAddress: asIs,
  logLevel: asIs,
  tracesUrl: origin,
  shutdown: asIs,
  databaseConnections: asIs,
  exportConnections: asIs,
  exportMemoryBytes: asIs,
  exportRate: asIs,
  exportBurst: asIs,
  conversation: optionally<Conversation>({
    models,
    speech: optionally<Speech>({
      hearing: optionally<Speech["hearing"]>({ first: hearing, fallback: hearing }),
      voice: optionally<Speech["voice"]>({ first: voice, fallback: voice }),
      prices: asIs,
    }),
    livekit: optionally<NonNullable<Conversation["livekit"]>>({
      url: origin,
      key: isSet,
      secret: isSet,
    }),
    capacity: asIs,
  }),
  models,
  embeddings: optionally({ url: origin, key: isSet, name: asIs, price: asIs }),
  accountShare: asIs,
  evaluateAtOnce: asIs,
  evaluateWithinSecs: asIs,
  reevaluateRate: asIs,
  receivers: asIs,
  webhooks: optionally({
    secretKeys: keyIds,
    atOnce: asIs,
    backoffMs: asIs,
    keepDays: asIs,
  }),
  mail: optionally<Mail>({
    url: origin,
    from: asIs,
    tls: asIs,
    dkim: optionally<NonNullable<Mail["dkim"]>>({ domain: asIs, selector: asIs, key: isSet }),
    trustedCertificates: isSet,
    timeLimits: asIs,
  }),
  secretKeys: keyIds,
  dnsServers: asIs,
  failpoints: asIs,
};

/** Reduces a third party's URL to scheme, host and port: the rest may hold credentials. */
function origin(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  // Not `URL.origin`, which is "null" for schemes such as smtp.
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** Reduces a URL of our own to origin and path, which every customer sees. */
function originAndPath(url: string): string {
  return `${origin(url)}${new URL(url).pathname}`;
}

/** With the role, which decides what a process may do. `pg` reads a password behind the question mark too. */
function database(url: string): string {
  const { protocol, username, password, host, pathname } = new URL(url);
  return `${protocol}//${username}${password === "" ? "" : ":redacted"}@${host}${pathname}`;
}
