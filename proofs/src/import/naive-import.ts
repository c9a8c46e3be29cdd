import { randomUUID } from "node:crypto";
import { addCustomer, seedSettled } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import type { ImportFile } from "./import-file.ts";

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
