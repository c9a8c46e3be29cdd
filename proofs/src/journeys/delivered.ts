import Papa from "papaparse";
import type { Session } from "@svc/contract/types";
import { awaitExported, awaitWebhook } from "../product/await-webhook.ts";
import type { WholeProduct } from "../product/whole-product.ts";
import { asSeen } from "../talk/visitor.ts";

/** What the customer gets of a session: by webhook, its signature checked, and in both exports. */
export interface Delivered {
  data: Session;
  exported: Session;
  /** The session's row in the CSV. */
  cells: Record<string, string>;
}

/** What the visitor and the page know of it. */
export interface Expected {
  sessionId: string;
  email: string;
  metadata: Record<string, string>;
  language: string;
  /** The turns that were on the screen before the end. */
  seen: string[];
}

export async function awaitDelivered(product: WholeProduct, sessionId: string): Promise<Delivered> {
  const { data } = await awaitWebhook(product, sessionId);
  const exported = await awaitExported(product, sessionId);
  const response = await fetch(`${product.server.url}/v1/sessions.csv`, {
    headers: { authorization: `Bearer ${product.customer.token}` },
  });
  const rows = Papa.parse<Record<string, string>>(await response.text(), { header: true });
  return { data, exported, cells: rows.data.find(({ id }) => id === sessionId) ?? {} };
}

/** What the customer got and was not so. */
export function judgeDelivered({ data, exported, cells }: Delivered, expected: Expected): string[] {
  const faults: string[] = [];
  const same = (what: string, one: unknown, other: unknown): void => {
    const [got, due] = [JSON.stringify(one), JSON.stringify(other)];
    if (got !== due) faults.push(`${what}: ${got} instead of ${due}`);
  };
  same("status", data.status, "processed");
  same("email", data.email, expected.email);
  for (const [key, value] of Object.entries({ ...expected.metadata, email: expected.email })) {
    same(`metadata ${key}`, data.metadata?.[key], value);
  }
  same("language", data.evaluation?.language, expected.language);
  same("transcript", asSeen(data.transcript).slice(0, expected.seen.length), expected.seen);
  same("JSON export", exported, data);
  same("email in the CSV", cells["email"], expected.email);
  same("metadata in the CSV", cells["metadata"], JSON.stringify(data.metadata));
  same("evaluation in the CSV", cells["evaluation"], JSON.stringify(data.evaluation));
  return faults;
}

/** How many of four wrong deliveries are noticed. */
export function plantedNoticed(delivered: Delivered, expected: Expected): string {
  const { data, exported, cells } = delivered;
  const planted: [Delivered, Expected][] = [
    [delivered, { ...expected, email: "somebody.else@example.com" }],
    [delivered, { ...expected, seen: [...expected.seen, "What nobody said."] }],
    [{ ...delivered, exported: { ...exported, status: "abandoned" } }, expected],
    [{ data, exported, cells: { ...cells, metadata: "{}" } }, expected],
  ];
  const noticed = planted.filter(([one, other]) => judgeDelivered(one, other).length > 0).length;
  return `${noticed} of ${planted.length}`;
}
