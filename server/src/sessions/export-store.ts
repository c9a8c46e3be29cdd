import type { SessionField } from "@svc/contract/types";
import pg from "pg";
import { copyOut } from "#platform";
import type { ExportEdge, ExportPosition, ExportRequest } from "./export.ts";

/** Where the count of sessions behind the edge ends. */
const MOST_COUNTED = 10_000;

/**
 * Reads one page in one snapshot, logged in as the role that row-level security holds to one
 * account. COPY takes no parameters, so values are written into the text: all of them are numbers,
 * stamps and ids of ours, and escaped all the same.
 */
export async function readPage(
  pool: pg.Pool,
  request: ExportRequest,
  onRow: (row: Buffer) => void,
): Promise<ExportEdge> {
  const client = await pool.connect();
  try {
    const edge = await openSnapshot(client, request);
    await copyOut(client, pageStatement(request, edge), onRow);
    await client.query("COMMIT");
    client.release();
    return edge;
  } catch (error) {
    // A connection that failed half-way may hold a transaction, and with it another account's setting.
    client.release(true);
    throw error;
  }
}

/** Opens the transaction, names the account for row-level security, and finds the edge. */
async function openSnapshot(client: pg.PoolClient, request: ExportRequest): Promise<ExportEdge> {
  await client.query(
    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL svc.account_id = ${pg.escapeLiteral(String(request.accountId))}`,
  );
  const { rows } = await client.query<EdgeRow>({
    ...EDGE,
    values: [request.accountId, request.after.at, request.after.id],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`account ${request.accountId} has no clock`);
  const { lastAt, openAt: at, openId: id } = row;
  if (at === null || id === null) return { lastAt, firstUnsettled: undefined, behind: 0 };
  const counted = await client.query<{ behind: number }>({
    ...BEHIND,
    values: [request.accountId, at, id],
  });
  return { lastAt, firstUnsettled: { at, id }, behind: counted.rows[0]!.behind };
}

interface EdgeRow {
  lastAt: string;
  openAt: string | null;
  openId: string | null;
}

/** Prepared once per connection: planned anew, it would cost a third of the page. */
const EDGE = {
  name: "export-edge",
  text: `
    SELECT ${stamp("clock.last_at")} AS "lastAt", ${stamp("open.created_at")} AS "openAt", open.id AS "openId"
    FROM account_clocks AS clock
    LEFT JOIN LATERAL (
      SELECT created_at, id FROM sessions
      WHERE account_id = clock.account_id AND settled_at IS NULL AND NOT test AND (created_at, id) > ($2::timestamptz, $3::uuid)
      ORDER BY created_at, id LIMIT 1
    ) AS open ON true
    WHERE clock.account_id = $1`,
};

/** Asked only when there is an edge, in the order of the index and with an end: a plain count may read the whole table. */
const BEHIND = {
  name: "export-behind",
  text: `
    SELECT count(*)::integer AS behind FROM (
      SELECT FROM session_exports
      WHERE session_exports.account_id = $1 AND (created_at, id) > ($2::timestamptz, $3::uuid)
      ORDER BY created_at, id LIMIT ${MOST_COUNTED}
    ) AS waiting`,
};

/**
 * The order names the table: a bare `created_at` would mean the CSV's cell of that name, and
 * PostgreSQL would sort the whole account by its text.
 *
 * Every row starts with its stamp and id, in fixed width (`POSITION_WIDTH` bytes), from which the
 * cursor is made; the selected fields follow as they go out: the members of a JSON object, or CSV cells.
 */
function pageStatement(request: ExportRequest, edge: ExportEdge): string {
  const { columns, format } =
    request.format === "json" ? jsonRow(request.fields) : csvRow(request.fields);
  const before =
    edge.firstUnsettled === undefined || request.mode === "as_available"
      ? ""
      : `AND (created_at, id) < ${position(edge.firstUnsettled)}`;
  return `COPY (
    SELECT ${columns} FROM session_exports
    WHERE ${ofAccount("session_exports", request.accountId)} AND (created_at, id) > ${position(request.after)} ${before}
    ORDER BY session_exports.created_at, session_exports.id LIMIT ${Number(request.limit)}
  ) TO STDOUT (${format})`;
}

export const POSITION_WIDTH = { stamp: 24, id: 36 } as const;

/**
 * Binary puts a header before the first row and lengths before each cell; one cell is one object,
 * as `,"key":value,"key":value`. `concat` skips NULL, so a key is present only when it has a value.
 * Long values are arguments of their own: joined by `||` they would be copied once more.
 */
function jsonRow(fields: readonly SessionField[]): { columns: string; format: string } {
  const members = fields.map((field) => JSON_MEMBER[field]);
  return {
    columns: `concat(${[stamp("created_at"), "id", ...members].join(", ")})`,
    format: "FORMAT binary",
  };
}

const JSON_MEMBER: Record<SessionField, string> = {
  id: `',"id":"', id, '"'`,
  agent_id: `',"agent_id":"', agent_id, '"'`,
  status: `',"status":"', status, '"'`,
  metadata: `CASE WHEN metadata IS NOT NULL THEN ',"metadata":' END, metadata`,
  transcript: `CASE WHEN transcript IS NOT NULL THEN ',"transcript":' END, transcript`,
  summary: `',"summary":' || to_json(summary)`,
  evaluation: `CASE WHEN evaluation IS NOT NULL THEN ',"evaluation":' END, evaluation`,
  email: `',"email":' || to_json(email)`,
  email_verified: `',"email_verified":' || email_verified::text`,
  duration_secs: `',"duration_secs":' || duration_secs`,
  created_at: `',"created_at":"', ${stamp("created_at")}, '"'`,
};

function csvRow(fields: readonly SessionField[]): { columns: string; format: string } {
  const cells = fields.map((field) => `${CSV_CELL[field]} AS ${field}`);
  const quoted = fields.filter((field) => !BARE_IN_CSV.has(field));
  return {
    columns: [`${stamp("created_at")} AS position_at`, "id AS position_id", ...cells].join(", "),
    format: `FORMAT csv${quoted.length === 0 ? "" : `, FORCE_QUOTE (${quoted.join(", ")})`}`,
  };
}

const BARE_IN_CSV: ReadonlySet<SessionField> = new Set(["email_verified", "duration_secs"]);

const CSV_CELL: Record<SessionField, string> = {
  id: "id",
  agent_id: "agent_id",
  status: "status",
  metadata: "metadata",
  transcript: "transcript",
  summary: noFormula("summary"),
  evaluation: "evaluation",
  email: noFormula("email"),
  email_verified: "email_verified::text",
  duration_secs: "duration_secs",
  created_at: stamp("created_at"),
};

/**
 * A spreadsheet takes a cell that begins with = + - @ for a formula, some of them also after
 * spaces or in full width, and some a cell that begins with a tab or a line break. Such a cell
 * gets one apostrophe in front. JSON cells begin with a bracket and need none.
 */
function noFormula(column: string): string {
  const skipped =
    "\\u0001-\\u0020\\u007f-\\u00a0\\u1680\\u2000-\\u200f\\u2028-\\u202f\\u205f\\u3000\\ufeff";
  const pattern = `^([${skipped}]*[-=+@\\uff1d\\uff0b\\uff0d\\uff20]|[\\t\\r\\n])`;
  return `CASE WHEN ${column} ~ '${pattern}' THEN '''' || ${column} ELSE ${column} END`;
}

/** RFC 3339 in UTC with milliseconds. */
function stamp(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function position({ at, id }: ExportPosition): string {
  return `(${pg.escapeLiteral(at)}::timestamptz, ${pg.escapeLiteral(id)}::uuid)`;
}

/** The application's own account filter, in front of row-level security. */
function ofAccount(table: string, accountId: number): string {
  return `${table}.account_id = ${Number(accountId)}`;
}
