import { MemoryBudget } from "#platform";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { Session } from "@svc/contract/types";
import { createExporter, positionSince } from "#sessions";
import type { ExportPage, ExportRequest } from "#sessions";
import type { Customer } from "./customer.ts";
import type { TestDatabase } from "./database.ts";

/** One page of a customer's export: everything as JSON, where the request does not say otherwise. */
export async function readExport(
  database: Pick<TestDatabase, "exportPool">,
  customer: Customer,
  request: Partial<ExportRequest> = {},
): Promise<ExportPage & { text: string }> {
  const exporter = createExporter(database.exportPool, new MemoryBudget(1_000_000_000));
  const page = await exporter.page({ ...wholeExport(customer), ...request });
  return { ...page, text: page.body.toString("utf8") };
}

export function wholeExport(customer: Customer): ExportRequest {
  return {
    accountId: customer.account.id,
    mode: customer.account.exportMode,
    format: "json",
    after: positionSince(0),
    limit: 100,
    fields: SESSION_FIELDS,
  };
}

export function itemsOf({ text }: { text: string }): Partial<Session>[] {
  return (JSON.parse(text) as { items: Partial<Session>[] }).items;
}
