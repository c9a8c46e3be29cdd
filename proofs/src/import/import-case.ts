import { writeFile } from "node:fs/promises";
import { join } from "node:path";
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
