import { addCustomer, playSession, start } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";

/** An account whose every text says whose it is. */
export interface Tenant {
  customer: Customer;
  mark: string;
  ids: Set<string>;
  /** A cursor behind its first session. */
  cursor: string;
}

const SESSIONS = 4;

export async function addTenants(database: TestDatabase, count: number): Promise<Tenant[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => addTenant(database, number)));
}

async function addTenant({ db }: TestDatabase, number: number): Promise<Tenant> {
  const mark = `tenant-${number}-mark`;
  // Every third prefers speed, so that both ways of reading are asked.
  const customer = await addCustomer(db, {
    name: mark,
    exportMode: number % 3 === 0 ? "as_available" : "settled_prefix",
  });
  const played: { id: string; createdAt: Date }[] = [];
  for (let i = 0; i < SESSIONS; i++) {
    played.push(
      await playSession(db, customer, {
        metadata: { mark, email: `visitor@${mark}.example` },
        turns: [
          { role: "assistant", content: `${mark} asks` },
          { role: "user", content: `${mark} answers` },
        ],
        settlement: {
          status: "processed",
          summary: `${mark} summary`,
          evaluation: { summary: `${mark} evaluation` },
        },
      }),
    );
  }
  // Something unsettled and a test session: neither may ever be seen, by anybody.
  await start(db, customer, { metadata: { mark: `${mark}-unsettled` } });
  await playSession(db, customer, { test: true, metadata: { mark: `${mark}-test` } });
  const [first] = played;
  return {
    customer,
    mark,
    ids: new Set(played.map(({ id }) => id)),
    cursor: `${first!.createdAt.getTime()}.${first!.id}`,
  };
}
