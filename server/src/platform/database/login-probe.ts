import pg from "pg";
import { databaseReason } from "./connection-trouble.ts";

/** A login that worked is believed for this long: a probe every second must not cost a connection each. */
const BELIEVED_MS = 5_000;
const CONNECT_WITHIN_MS = 1_000;

/** Returns why a new connection cannot be made with this address; undefined when it can. */
export type LoginProbe = () => Promise<string | undefined>;

/** Logs in anew. A connection that is open already says nothing: PostgreSQL asks for the password once. */
export function createLoginProbe(url: string): LoginProbe {
  let goodUntil = 0;
  let probing: Promise<string | undefined> | undefined;
  const probe = async (): Promise<string | undefined> => {
    const refused = await tryLogin(url);
    if (refused === undefined) goodUntil = performance.now() + BELIEVED_MS;
    probing = undefined;
    return refused && databaseReason(refused);
  };
  return async () => (performance.now() < goodUntil ? undefined : (probing ??= probe()));
}

/** Returns the error with which a login fails; undefined when it succeeds. */
export async function tryLogin(url: string): Promise<Error | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "svc-probe",
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  // Without a listener, a connection that breaks later would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    void client.end().catch(() => {});
  }
}
