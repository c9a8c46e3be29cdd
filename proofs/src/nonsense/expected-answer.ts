import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { ExportRequest } from "./export-request.ts";
import type { KnownAccount } from "./known-account.ts";

export type Expected =
  | { status: 200; items: number; fields: string[] }
  | { status: 400; parameters: Set<string> }
  | { status: 401 }
  /** A cursor made from one of the server's: it may be one or not, but never a defect. */
  | { status: "200 or 400"; parameters: Set<string> };

/**
 * What the documentation promises for a request. Written from the documentation alone, in plain
 * steps, so that a mistake in the server is not made here again.
 */
export function expectedAnswer(request: ExportRequest, known: KnownAccount): Expected {
  if (!request.credentials.areValid) return { status: 401 };

  const given = (name: string): string[] =>
    request.parameters.filter((one) => one.name.text === name).map((one) => one.value?.text ?? "");
  const sinces = given("since");
  const limits = given("limit");
  const cursors = given("cursor");

  const faults = new Set<string>();
  if (sinces.length > 1 || !sinces.every(isInt64)) faults.add("since");
  if (limits.length > 1 || !limits.every(isLimit)) faults.add("limit");
  const cursor = known.cursors.find(({ text }) => text === cursors[0]);
  const resembles = known.cursors.some(({ text }) => cursors[0]?.includes(text.slice(0, 8)));
  if (cursors.length > 1 || (cursors.length === 1 && cursor === undefined && !resembles)) {
    faults.add("cursor");
  }
  if (faults.size > 0) return { status: 400, parameters: faults };
  if (cursors.length === 1 && cursor === undefined) {
    return { status: "200 or 400", parameters: new Set(["cursor"]) };
  }

  const sinceMs = BigInt(sinces[0] ?? "0") * 1_000n;
  const passed = cursor?.passed ?? known.startedAtMs.filter((ms) => BigInt(ms) <= sinceMs).length;
  const limit = BigInt(limits[0] ?? "100");
  const most = limit > 100n ? 100 : Number(limit);
  const left = known.startedAtMs.length - passed;
  return { status: 200, items: Math.min(left, most), fields: fieldsOf(given("fields").join(",")) };
}

function isInt64(text: string): boolean {
  if (!/^-?[0-9]+$/.test(text)) return false;
  const value = BigInt(text);
  return value >= -9_223_372_036_854_775_808n && value <= 9_223_372_036_854_775_807n;
}

function isLimit(text: string): boolean {
  return /^[0-9]+$/.test(text) && BigInt(text) > 0n;
}

function fieldsOf(list: string): string[] {
  const available: readonly string[] = SESSION_FIELDS;
  if (list === "") return [...available];
  const wanted = list.split(",").map((name) => name.trim());
  return wanted.filter((name, at) => available.includes(name) && wanted.indexOf(name) === at);
}
