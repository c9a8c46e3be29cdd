import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Session } from "@svc/contract/types";
import { addCustomer, seedSettled } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { makeImportFile, toLines } from "./import-file.ts";
import type { ImportFile } from "./import-file.ts";

/** One account and what is imported into it. */
export interface ImportCase {
  name: string;
  file: ImportFile;
  path: string;
  ascending: boolean;
  /** Through a pipe, which can be read once only. */
  piped: boolean;
  /** Sessions that the account had before, some in the same seconds. */
  there: Session[];
}

const AGENT = "agent_of-the-earlier-system";

export async function makeCases(
  folder: string,
  total: number,
  seed: number,
): Promise<ImportCase[]> {
  const plans = [
    { name: "ascending", share: 0.4, ascending: true, piped: false, beside: false },
    { name: "beside others", share: 0.3, ascending: true, piped: false, beside: true },
    { name: "shuffled, piped", share: 0.3, ascending: false, piped: true, beside: true },
  ];
  return Promise.all(
    plans.map(async ({ name, share, ascending, piped, beside }, index) => {
      const order = ascending ? "ascending" : "shuffled";
      const file = makeImportFile(Math.round(total * share), AGENT, seed + index, order);
      const path = join(folder, `case-${index}.ndjson`);
      await writeFile(path, toLines(file.sessions));
      return { name, file, path, ascending, piped, there: beside ? besideOf(file, index) : [] };
    }),
  );
}

/** An account that holds what the case asks for. */
export async function addCustomerOf(
  database: TestDatabase,
  { name, there }: ImportCase,
): Promise<Customer> {
  const customer = await addCustomer(database.db, { name });
  const sessions = there.map((session) => ({ ...session, agent_id: customer.agent.agentId }));
  await seedSettled(database.pool, customer, sessions);
  return customer;
}

/** Up to 99 sessions in every fifth second of the file. */
function besideOf({ givenMs }: ImportFile, index: number): Session[] {
  const seconds = [...new Set(givenMs.map((ms) => Math.floor(ms / 1_000)))];
  return seconds
    .filter((_, nth) => nth % 5 === 0)
    .flatMap((second, nth) =>
      Array.from({ length: [1, 40, 98, 99][nth % 4]! }, (_, i) => ({
        id: `00000000-0000-4000-800${index}-${String(nth * 100 + i).padStart(12, "0")}`,
        agent_id: AGENT,
        status: "abandoned" as const,
        created_at: new Date(second * 1_000 + 1 + i * 10).toISOString(),
      })),
    );
}

/**
 * The control: sessions stored at the times they were given, as an importer would that knows
 * nothing of the reader's loop. Whole seconds are moved even here, since the database refuses them.
 */
export async function importNaively(database: TestDatabase, file: ImportFile): Promise<Customer> {
  const customer = await addCustomer(database.db, { name: "naive" });
  const sessions = file.expected.map((session, index) => {
    const ms = file.givenMs[index]!;
    const created_at = new Date(ms % 1_000 === 0 ? ms + 1 : ms).toISOString();
    return { ...session, id: randomUUID(), agent_id: customer.agent.agentId, created_at };
  });
  await seedSettled(database.pool, customer, sessions);
  return customer;
}

/** `svc`, started as an operator starts it. */
export interface SvcProcess {
  isRunning(): boolean;
  /** SIGKILL: no handler, no clean-up. */
  kill(): void;
  ended: Promise<SvcEnd>;
}

export interface SvcEnd {
  killed: boolean;
  exitCode: number | null;
  /** What `--json` printed. */
  output: Record<string, unknown>;
  errors: string;
}

const CLI = fileURLToPath(new URL("../../../server/src/operator/cli.ts", import.meta.url));

/** @param stdin a file that is piped into it. */
export function startSvc(
  database: TestDatabase,
  argv: string[],
  { stdin, cwd }: { stdin?: string; cwd: string },
): SvcProcess {
  const child = spawn(process.execPath, [CLI, ...argv, "--json"], {
    cwd,
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      // Two dozen starts: half of each would be spent on reading the same sources.
      NODE_COMPILE_CACHE: join(cwd, "compiled"),
      SVC_DATABASE_URL: database.url,
      SVC_EXPORT_DATABASE_URL: database.exportUrl,
    },
  });
  // A reader that is killed breaks the pipe.
  if (stdin !== undefined) createReadStream(stdin).pipe(child.stdin!.on("error", () => {}));
  let printed = "";
  let errors = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close").then(([exitCode, signal]: unknown[]): SvcEnd => ({
    killed: signal === "SIGKILL",
    exitCode: exitCode as number | null,
    output: (signal === null && printed !== "" ? JSON.parse(printed) : {}) as Record<
      string,
      unknown
    >,
    errors,
  }));
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill("SIGKILL"),
    ended,
  };
}
