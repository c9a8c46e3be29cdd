import type { SoundSystem } from "./sound-system.ts";

/** A fault, and the checks that must find it, each with a word of what it says. */
export interface Fault {
  name: string;
  found: Record<string, RegExp>;
}

/** A mistake in the operator's settings. An empty variable is an unset one. */
export interface SettingFault extends Fault {
  settings: Record<string, string>;
}

/** A fault in the database. */
export interface StoredFault extends Fault {
  plant: string;
  heal: string;
}

const both = (says: RegExp): Fault["found"] => ({
  "conversation model": says,
  "evaluation model": says,
});
const key = (id: string, byte: string): string =>
  `${id}:${Buffer.alloc(32, byte).toString("base64")}`;

export function settingFaults({ settings, speech, elsewhere }: SoundSystem): SettingFault[] {
  const { closed, model, liar } = elsewhere;
  const database = settings["SVC_DATABASE_URL"]!;
  const fault = (
    name: string,
    change: Record<string, string>,
    found: Fault["found"],
  ): SettingFault => ({ name, settings: change, found });
  const databaseAt = (name: string, change: Partial<URL>, says: RegExp): SettingFault =>
    fault(
      name,
      { SVC_DATABASE_URL: Object.assign(new URL(database), change).href },
      { database: says },
    );
  const exportAt = (name: string, change: Partial<URL>, found: Fault["found"]): SettingFault => {
    const url = Object.assign(new URL(settings["SVC_EXPORT_DATABASE_URL"]!), change).href;
    return fault(name, { SVC_EXPORT_DATABASE_URL: url }, found);
  };
  const one = (name: string, variable: string, value: string, check: string, says: RegExp) =>
    fault(name, { [variable]: value }, { [check]: says });
  const spoken = (name: string, change: Record<string, string>, found: Fault["found"]) =>
    fault(name, { ...speech, ...change }, found);
  return [
    databaseAt("database away", { host: closed }, /refused/i),
    databaseAt("unknown login", { username: "stranger" }, /refused the login.*stranger/s),
    databaseAt("unknown database", { pathname: "/nowhere" }, /does not exist.*nowhere/s),
    fault(
      "replica",
      { SVC_DATABASE_URL: `${database}?options=-c%20default_transaction_read_only%3Don` },
      { "database writes": /only reads/ },
    ),
    exportAt(
      "wrong password of the export",
      { password: "wrong" },
      { "export login": /password/i },
    ),
    exportAt("export elsewhere", { pathname: "/postgres" }, { "export login": /session_exports/ }),
    exportAt("export as the owner", { username: "postgres" }, { configuration: /svc_export/ }),
    one("no public address", "SVC_PUBLIC_URL", "", "configuration", /SVC_PUBLIC_URL is required/),
    one("a number that is none", "SVC_PORT", "http", "configuration", /SVC_PORT/),
    one(
      "key too short",
      "SVC_SECRET_KEYS",
      "k1:c2hvcnQ=",
      "configuration",
      /SVC_SECRET_KEYS key 1/,
    ),
    one(
      "two keys of one id",
      "SVC_SECRET_KEYS",
      `${key("k1", "a")},${key("k1", "b")}`,
      "configuration",
      /same id/,
    ),
    one("key missing", "SVC_SECRET_KEYS", key("k2", "a"), "webhook secrets", /The key k1/),
    one("key replaced", "SVC_SECRET_KEYS", key("k1", "a"), "webhook secrets", /another key/),
    fault(
      "no keys",
      { SVC_ROLE: "api", SVC_SECRET_KEYS: "", SVC_SMTP_URL: "", SVC_MAIL_FROM: "" },
      { "webhook secrets": /not set here/ },
    ),
    one("too many connections", "SVC_DATABASE_CONNECTIONS", "100", "connections", /may open 412/),
    fault("model away", { SVC_MODEL_URL: `http://${closed}/v1` }, both(/ECONNREFUSED/)),
    one(
      "embeddings of a server that has none",
      "SVC_EMBEDDINGS_MODEL",
      "near",
      "embedding model",
      /near at http.*404/,
    ),
    fault("wrong key of the model", { SVC_MODEL_KEY: "wrong" }, both(/answered 401/)),
    fault(
      "unknown model",
      { SVC_CONVERSATION_MODEL: "rehersal" },
      { "conversation model": /not list/, "cost limits": /because rehersal cost nothing/ },
    ),
    fault(
      "fallback away",
      { SVC_FALLBACK_MODEL_URL: `http://${closed}/v1` },
      both(/fallback.*ECONNREFUSED/),
    ),
    fault("wrong key of the fallback", { SVC_FALLBACK_MODEL_KEY: "wrong" }, both(/fallback.*401/)),
    one("no prices", "SVC_MODEL_PRICES", "", "cost limits", /never bite/),
    one("mail server away", "SVC_SMTP_URL", `smtp://${closed}`, "mail server", /ECONNREFUSED/),
    one(
      "wrong login of the mail server",
      "SVC_SMTP_URL",
      settings["SVC_SMTP_URL"]!.replace(":right@", ":wrong@"),
      "mail server",
      /535/,
    ),
    one(
      "mail server not trusted",
      "NODE_EXTRA_CA_CERTS",
      "",
      "mail server",
      /SIGNED|CERT|VERIFY|encrypted/,
    ),
    one("mail without a sender", "SVC_MAIL_FROM", "", "configuration", /SVC_MAIL_FROM is required/),
    one("name server away", "SVC_DNS_SERVERS", closed, "name servers", /does not answer/),
    one("name server that lies", "SVC_DNS_SERVERS", liar, "name servers", /makes up the address/),
    one(
      "public address away",
      "SVC_PUBLIC_URL",
      `http://${closed}`,
      "public address",
      /cannot be reached/,
    ),
    one("public address of another", "SVC_PUBLIC_URL", model, "public address", /answers 40[14]/),
    one(
      "proxy without WebSockets",
      "SVC_LIVE_URL",
      `ws://${new URL(settings["SVC_PUBLIC_URL"]!).host}/sdk/v1/live`,
      "live address",
      /opens no WebSocket/,
    ),
    one(
      "live address away",
      "SVC_LIVE_URL",
      `ws://${closed}/sdk/v1/live`,
      "live address",
      /ECONNREFUSED/,
    ),
    one("SDK not built", "SVC_SDK_DIR", "/nowhere", "sdk", /not built/),
    one("half of speech", "SVC_STT", "deepgram", "configuration", /SVC_TTS is required/),
    spoken("speech-to-text away", { SVC_STT_URL: `http://${closed}` }, { hearing: /deepgram/ }),
    spoken("wrong key of speech-to-text", { SVC_STT_KEY: "wrong" }, { hearing: /key/ }),
    spoken("text-to-speech away", { SVC_TTS_URL: `http://${closed}` }, { voice: /cartesia/ }),
    spoken("wrong key of text-to-speech", { SVC_TTS_KEY: "wrong" }, { voice: /key/ }),
  ];
}

const FIRST = "(SELECT min(id) FROM deliveries)";
const DELIVERED = "UPDATE deliveries SET state = 'delivered', finished_at = now()";
const TOMORROW = "((now() AT TIME ZONE 'UTC')::date + 1)";

/** Those of a list do not disturb each other and are planted together. */
export const storedFaults: StoredFault[][] = [
  [
    {
      name: "later release",
      plant: "INSERT INTO migrations (name, timestamp) VALUES ('999999_later', now()::text)",
      heal: "DELETE FROM migrations WHERE name = '999999_later'",
      found: { migrations: /999999_later came with a later release/ },
    },
    {
      name: "orphaned delivery",
      plant: `UPDATE deliveries SET state = 'orphaned' WHERE id = ${FIRST}`,
      heal: DELIVERED,
      found: { deliveries: /1 orphaned/ },
    },
    {
      name: "row-level security off",
      plant: "ALTER TABLE session_exports DISABLE ROW LEVEL SECURITY",
      heal: "ALTER TABLE session_exports ENABLE ROW LEVEL SECURITY",
      found: { "export login": /sees every account/ },
    },
    {
      name: "default agent paused",
      plant: "UPDATE agents SET state = 'paused'",
      heal: "UPDATE agents SET state = 'live'",
      found: { agents: /default agent .* paused/ },
    },
    {
      name: "failed evaluation",
      plant:
        "UPDATE sessions SET status = 'error' WHERE id = (SELECT max(id::text)::uuid FROM sessions)",
      heal: "UPDATE sessions SET status = 'processed' WHERE status = 'error'",
      found: { evaluations: /1 of the last 24 hours failed/ },
    },
    {
      name: "clock that jumped ahead",
      plant: "UPDATE account_clocks SET last_at = last_at + interval '1 year'",
      heal: "UPDATE account_clocks SET last_at = last_at - interval '1 year'",
      found: { "session times": /in the future/ },
    },
    {
      name: "no partition for tomorrow",
      plant: `DO $$ BEGIN EXECUTE format('DROP TABLE turns_%1$s, session_events_%1$s', to_char(${TOMORROW}, 'YYYYMMDD')); END $$`,
      heal: `SELECT make_log_partitions(${TOMORROW})`,
      found: { "log partitions": /none for/ },
    },
  ],
  [
    {
      name: "missing migration",
      plant:
        "UPDATE migrations SET name = name || '_undone' WHERE name = (SELECT max(name) FROM migrations)",
      heal: "UPDATE migrations SET name = replace(name, '_undone', '')",
      found: { migrations: /has not run/ },
    },
    {
      name: "exhausted deliveries",
      plant: "UPDATE deliveries SET state = 'exhausted'",
      heal: DELIVERED,
      found: { deliveries: /4 deliveries failed for good/, receivers: /taken none/ },
    },
    {
      name: "agent without a version",
      plant:
        "CREATE TABLE kept AS SELECT id, current_version FROM agents; UPDATE agents SET current_version = NULL",
      heal: "UPDATE agents SET current_version = kept.current_version FROM kept WHERE kept.id = agents.id; DROP TABLE kept",
      found: { agents: /without a version/ },
    },
  ],
  [
    {
      name: "receiver left paused",
      plant: `UPDATE webhook_endpoints SET state = 'paused'; UPDATE deliveries SET state = 'waiting', finished_at = NULL, due_at = now() - interval '2 days' WHERE id = ${FIRST}`,
      heal: `${DELIVERED}; UPDATE webhook_endpoints SET state = 'live'`,
      found: { receivers: /paused/ },
    },
  ],
];

/** Planted while no pipeline works, which would otherwise do the work. */
export const undoneWork: StoredFault[] = [
  {
    name: "jobs that nobody takes",
    plant:
      "INSERT INTO pgboss.job (name, data, start_after) VALUES ('evaluate', '{}', now() - interval '10 minutes')",
    heal: "DELETE FROM pgboss.job WHERE name = 'evaluate'",
    found: { queue: /1 evaluate/ },
  },
  {
    name: "late delivery",
    plant: `UPDATE deliveries SET state = 'waiting', finished_at = NULL, due_at = now() - interval '10 minutes' WHERE id = ${FIRST}`,
    heal: DELIVERED,
    found: { deliveries: /due for 10m/ },
  },
  {
    name: "session past its deadline",
    plant: `INSERT INTO sessions (id, account_id, agent_id, agent_version, test, created_at, connect_by, metadata)
      SELECT gen_random_uuid(), account_id, agent_id, agent_version, false, created_at + interval '1 millisecond', now() - interval '5 minutes', '{}'
      FROM sessions ORDER BY created_at DESC LIMIT 1`,
    heal: "DELETE FROM sessions WHERE settled_at IS NULL",
    found: { "unsettled sessions": /1 past their deadline/ },
  },
];
