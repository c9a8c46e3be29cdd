import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { Session } from "@svc/contract/types";
import fc from "fast-check";
import { selectedFields, tableOf } from "./table.ts";
import type { Table } from "./table.ts";

/** One request for a CSV page. */
export interface TableRequest {
  /** Each is sent as a parameter of its own. */
  fields: string[];
  limit: number | undefined;
  after: { since: number } | Mark;
  /** A browser opens the address as a page, and gets a byte order mark for Excel's sake. */
  asPage: boolean;
}

/** A place in the account's sessions, and the cursor that the server gave for it. */
export interface Mark {
  cursor: string;
  index: number;
}

export function tableRequests(
  sessions: readonly Session[],
  marks: Mark[],
): fc.Arbitrary<TableRequest> {
  const known = fc.constantFrom(...SESSION_FIELDS);
  const unknown = fc.constantFrom(
    "",
    "ID",
    "Summary",
    "transcripts",
    "id;email",
    "\ufffd",
    "__proto__",
  );
  const name = fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: unknown });
  const padded = fc
    .tuple(fc.constantFrom("", "", "", " ", "\t"), name)
    .map(([pad, one]) => pad + one + pad);
  const list = fc.array(padded, { maxLength: 14 }).map((names) => names.join(","));
  const since: fc.Arbitrary<TableRequest["after"]> = fc
    .integer({ min: secondOf(sessions[0]!) - 1, max: secondOf(sessions.at(-1)!) })
    .map((secs) => ({ since: secs }));
  return fc.record({
    fields: fc.array(list, { maxLength: 2 }),
    limit: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1, max: 12 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 150 }) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    after: fc.oneof(since, fc.constantFrom<TableRequest["after"]>(...marks)),
    asPage: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
  });
}

/** Pages of 100 rows with every column, in any order, from the first session on. */
export function fullPages(
  sessions: readonly Session[],
  count: number,
  seed: number,
): TableRequest[] {
  const everyField = fc.shuffledSubarray([...SESSION_FIELDS], { minLength: SESSION_FIELDS.length });
  return fc.sample(everyField, { numRuns: count, seed }).map((names, page) => ({
    fields: [names.join(",")],
    limit: 100,
    after: { since: secondOf(sessions[page * 100]!) - 1 },
    asPage: page % 2 === 0,
  }));
}

export function queryOf({ fields, limit, after }: TableRequest): string {
  const query = new URLSearchParams();
  for (const list of fields) query.append("fields", list);
  if (limit !== undefined) query.set("limit", String(limit));
  if ("since" in after) query.set("since", String(after.since));
  else query.set("cursor", after.cursor);
  return query.toString();
}

/** What the page must hold, from the sessions that were stored. */
export function wantedTable(sessions: readonly Session[], request: TableRequest): Table {
  const { after, fields, limit = 100 } = request;
  const first = "since" in after ? firstAfter(sessions, after.since) : after.index + 1;
  const page = sessions.slice(first, first + Math.min(limit, 100));
  return tableOf(page, selectedFields(fields.length === 0 ? undefined : fields.join(",")));
}

/** The index of the first session created after that second, found by halving. */
export function firstAfter(sessions: readonly Session[], since: number): number {
  const sinceText = new Date(since * 1_000).toISOString();
  let [from, to] = [0, sessions.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sessions[middle]!.created_at > sinceText) to = middle;
    else from = middle + 1;
  }
  return from;
}

export function secondOf(session: Session): number {
  return Math.floor(Date.parse(session.created_at) / 1_000);
}
