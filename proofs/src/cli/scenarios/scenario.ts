import { TEST_SECRET_KEYS } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import type { Judge } from "../judge.ts";
import type { Stage } from "../../stage/stage.ts";

/** Plays what an operator does with one group of commands, and compares what is told with what is so. */
export type Scenario = (on: CliStage) => Promise<void>;

export interface CliStage {
  stage: Stage;
  /** Calls `svc` on the stage's database. */
  judge: Judge;
  /** A folder for files. */
  directory: string;
}

/** The environment that names a database, with passwords that must never be printed. */
export function environmentOf(
  database: Pick<TestDatabase, "url" | "exportUrl">,
): Record<string, string> {
  return {
    SVC_DATABASE_URL: withPassword(database.url, PASSWORDS.owner),
    SVC_EXPORT_DATABASE_URL: withPassword(database.exportUrl, PASSWORDS.export),
    SVC_PUBLIC_URL: "http://127.0.0.1:9",
    // Of a server that evaluates nothing: a scenario that needs a model names it.
    SVC_ROLE: "api",
    ...WITH_RECEIVERS,
  };
}

/** Receivers may be on this machine. */
export const WITH_RECEIVERS: Record<string, string> = {
  SVC_SECRET_KEYS: TEST_SECRET_KEYS,
  SVC_WEBHOOK_PLAIN_HTTP: "on",
  SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
};

/** The private PostgreSQL and the mail server ask for none, so any will do. */
export const PASSWORDS = {
  owner: "canary-of-the-owner",
  export: "canary-of-the-export",
  mail: "canary-of-the-mail",
} as const;

function withPassword(url: string, password: string): string {
  const changed = new URL(url);
  changed.password = password;
  return changed.href;
}

/** A piece of a command line, for readers. */
export function words(text: string): string[] {
  return text.split(" ");
}
