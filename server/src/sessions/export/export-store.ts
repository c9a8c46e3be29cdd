import type { ExportMode } from "#accounts";
import { copyOut, isPooled } from "#platform";
import type { SessionField } from "@svc/contract/types";
import pg from "pg";

/** A position in the export, which is ordered by `created_at`, then `id`. */
export interface ExportPosition {
  /** RFC 3339 in UTC with milliseconds. */
  at: string;
  id: string;
}

export interface ExportRequest {
  accountId: number;
  mode: ExportMode;
  format: "json" | "csv";
  after: ExportPosition;
  limit: number;
  fields: readonly SessionField[];
}

/** A row of a page that is read later, in a part of its own, because the page is large. */
export interface WaitingRow extends ExportPosition {
  /** The size of its selected texts. */
  bytes: number;
}

/** The point up to which the export is complete, according to the page's snapshot. */
export interface ExportEdge {
  /**
   * The account's last start stamp. Without unsettled sessions the export is complete up to it, but
   * never up to now.
   */
  lastAt: string;
  firstUnsettled: ExportPosition | undefined;
  /** The number of settled sessions after the first unsettled one, counted up to 10,000. */
  behind: number;
}

/** Sessions after the first unsettled one are counted up to here. */
const MAX_COUNTED = 10_000;

/** The texts of a page that are read with it. More than this takes too long for one statement, and too much memory. */
export const PART_BYTES = 8_388_608;
/** The time limit of a part. A session from before sessions were bounded may have 50 MB. */
const PART_WITHIN_MS = 30_000;

/**
 * Reads one page with one snapshot and one round trip, logged in as the role that row-level
 * security restricts to one account. Past `PART_BYTES`, rows come without their texts: `readPart` reads
 * those. COPY takes no parameters, so values are written into the
 * statement: all of them are our own numbers, stamps and ids, and they are escaped nevertheless.
 */
export async function readPage(
  pool: pg.Pool,
  request: ExportRequest,
  onRow: (row: Buffer) => void,
): Promise<ExportEdge> {
  const client = await pool.connect();
  try {
    const edgeOf = await prepareEdge(client);
    const script = [
      "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
      `SET LOCAL svc.account_id = ${pg.escapeLiteral(String(request.accountId))}`,
      // Until the first unsettled session is known, nothing may be shown.
      "SET LOCAL svc.edge = '-infinity'",
      edgeOf(Number(request.accountId), request.after),
      pageStatement(request),
      "COMMIT",
    ];
    const selected = await copyOut(client, script.join(";\n"), onRow);
    const edge = toEdge(selected[0]);
    client.release();
    return edge;
  } catch (error) {
    // A connection that failed may still be inside a transaction with another account's setting, so it is closed.
    client.release(true);
    throw error;
  }
}

/**
 * Reads waiting rows of a page, in their order. A row that was erased since is left out; one that
 * was evaluated again comes as it is now.
 */
export async function readPart(
  pool: pg.Pool,
  request: ExportRequest,
  rows: readonly WaitingRow[],
  onRow: (row: Buffer) => void,
): Promise<void> {
  const client = await pool.connect();
  try {
    const script = [
      "BEGIN READ ONLY",
      `SET LOCAL statement_timeout = ${PART_WITHIN_MS}`,
      `SET LOCAL svc.account_id = ${pg.escapeLiteral(String(request.accountId))}`,
      partStatement(request, rows),
      "COMMIT",
    ];
    await copyOut(client, script.join(";\n"), onRow, PART_WITHIN_MS + 1_000);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * Prepared once per connection: planning this statement for each page would take a third of the
 * page's time. Behind a pooler the next page may be read on another connection.
 */
async function prepareEdge(
  client: pg.PoolClient,
): Promise<(accountId: number, after: ExportPosition) => string> {
  if (isPooled(client)) {
    return (accountId, after) => edgeStatement(String(accountId), literals(after));
  }
  if (!prepared.has(client)) {
    await client.query(
      `PREPARE export_edge (integer, timestamptz, uuid) AS ${edgeStatement("$1", "$2, $3")}`,
    );
    prepared.add(client);
  }
  return (accountId, after) => `EXECUTE export_edge (${accountId}, ${literals(after)})`;
}

const prepared = new WeakSet<pg.PoolClient>();

/**
 * Finds the first unsettled session and stores its start in `svc.edge` for the page statement.
 * Sessions after it are counted only if it exists, in index order and with a limit: a plain count
 * may read the whole table.
 */
const edgeStatement = (account: string, after: string): string => `
  SELECT ${stamp("clock.last_at")}, ${stamp("open.created_at")}, open.id,
    CASE WHEN open.id IS NOT NULL THEN (
      SELECT count(*) FROM (
        SELECT FROM session_exports
        WHERE session_exports.account_id = ${account} AND (created_at, id) > (open.created_at, open.id)
        ORDER BY created_at, id LIMIT ${MAX_COUNTED}
      ) AS waiting
    ) END,
    set_config('svc.edge', coalesce(open.created_at::text, 'infinity'), true)
  FROM account_clocks AS clock
  LEFT JOIN LATERAL (
    SELECT created_at, id FROM sessions
    WHERE account_id = clock.account_id AND settled_at IS NULL AND NOT test AND (created_at, id) > (${after})
    ORDER BY created_at, id LIMIT 1
  ) AS open ON true
  WHERE clock.account_id = ${account}`;

function toEdge(row: (string | null)[] | undefined): ExportEdge {
  const [lastAt, at, id, behind] = row ?? [];
  if (typeof lastAt !== "string") throw new Error("the account has no clock");
  return {
    lastAt,
    firstUnsettled: typeof at === "string" && typeof id === "string" ? { at, id } : undefined,
    behind: Number(behind ?? 0),
  };
}

/**
 * `ORDER BY` names the table: a bare `created_at` would mean the CSV column of that name, and
 * PostgreSQL would sort the whole account by its text.
 *
 * Every row starts with its stamp and id in fixed width (`POSITION_WIDTH` bytes), from which the
 * cursor is made. The selected fields follow in their final form: members of a JSON object, or CSV
 * cells.
 */
function pageStatement(request: ExportRequest): string {
  const { columns, format } = rowOf(request, bytesOf(request.fields));
  const before =
    request.mode === "as_available"
      ? ""
      : "AND created_at < current_setting('svc.edge')::timestamptz";
  return `COPY (
    SELECT ${columns} FROM session_exports
    WHERE session_exports.account_id = ${Number(request.accountId)} AND (created_at, id) > (${literals(request.after)}) ${before}
    WINDOW page AS (ORDER BY session_exports.created_at, session_exports.id ROWS UNBOUNDED PRECEDING)
    ORDER BY session_exports.created_at, session_exports.id LIMIT ${Number(request.limit)}
  ) TO STDOUT (${format})`;
}

/** Named rows, and no others: one that settled since is not part of this page. */
function partStatement(request: ExportRequest, rows: readonly WaitingRow[]): string {
  const { columns, format } = rowOf(request, undefined);
  return `COPY (
    SELECT ${columns} FROM session_exports
    WHERE session_exports.account_id = ${Number(request.accountId)}
      AND (created_at, id) >= (${literals(rows[0]!)}) AND (created_at, id) <= (${literals(rows.at(-1)!)})
      AND id IN (${rows.map(({ id }) => `${pg.escapeLiteral(id)}::uuid`).join(", ")})
    ORDER BY session_exports.created_at, session_exports.id
  ) TO STDOUT (${format})`;
}

export const POSITION_WIDTH = { stamp: 24, id: 36 } as const;

/** The fields that can be large. */
const TEXTS: ReadonlySet<SessionField> = new Set([
  "metadata",
  "transcript",
  "summary",
  "evaluation",
]);

/** An expression for the size of a row's selected texts, which PostgreSQL knows without reading them. */
function bytesOf(fields: readonly SessionField[]): string | undefined {
  const texts = fields.filter((field) => TEXTS.has(field));
  if (texts.length === 0) return undefined;
  return `(${texts.map((field) => `coalesce(octet_length(session_exports.${field}), 0)`).join(" + ")})`;
}

/** @param bytes the size of a row, if rows past `PART_BYTES` are to wait */
function rowOf(
  { format, fields }: ExportRequest,
  bytes: string | undefined,
): { columns: string; format: string } {
  const isRead = bytes && `sum(${bytes}) OVER page <= ${PART_BYTES}`;
  return format === "json" ? jsonRow(fields, bytes, isRead) : csvRow(fields, bytes, isRead);
}

/**
 * Binary COPY sends a header before the first row and a length before each cell. The second cell is
 * one object, as `,"key":value,"key":value`, or the size of a row that waits. `concat` skips NULL, so
 * that a key is present only when it has a value. Long values are separate arguments: joined by `||`
 * they would be copied once more.
 */
function jsonRow(
  fields: readonly SessionField[],
  bytes: string | undefined,
  isRead: string | undefined,
): { columns: string; format: string } {
  const members = `concat(${fields.map((field) => JSON_MEMBER[field]).join(", ") || "NULL"})`;
  return {
    columns: `concat(${stamp("created_at")}, id), ${isRead ? `CASE WHEN ${isRead} THEN ${members} ELSE ${bytes}::text END` : members}`,
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

function csvRow(
  fields: readonly SessionField[],
  bytes: string | undefined,
  isRead: string | undefined,
): { columns: string; format: string } {
  const cells = fields.map((field) => {
    const cell = CSV_CELL[field];
    return `${isRead ? `CASE WHEN ${isRead} THEN ${cell} END` : cell} AS ${field}`;
  });
  const waiting = isRead ? `CASE WHEN NOT ${isRead} THEN ${bytes} END` : "NULL";
  const quoted = fields.filter((field) => !BARE_IN_CSV.has(field));
  return {
    columns: [
      `${stamp("created_at")} AS position_at`,
      "id AS position_id",
      `${waiting} AS waiting_bytes`,
      ...cells,
    ].join(", "),
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
 * Spreadsheets treat a cell that starts with = + - @ as a formula, some of them also after spaces
 * or in full width, and some a cell that starts with a tab or a line break. Such a cell gets an
 * apostrophe in front. JSON cells start with a bracket and need none.
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

function literals({ at, id }: ExportPosition): string {
  return `${pg.escapeLiteral(at)}::timestamptz, ${pg.escapeLiteral(id)}::uuid`;
}

/** The rights of the export's role while no account is set: it must be able to read nothing. */
export interface ExportRole {
  user: string;
  /** Whether row-level security applies to it on every table that it may read. */
  held: boolean;
  /** Whether it could read a row nevertheless. */
  seesRows: boolean;
  /** Identifies the database: its name and the start time of its server. */
  database: string;
}

const CONNECT_WITHIN_MS = 5_000;

export async function selectExportRole(url: string): Promise<ExportRole> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: CONNECT_WITHIN_MS,
  });
  // Without a listener, a connection that breaks later would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<ExportRole>(`
      SELECT current_user AS user,
        row_security_active('session_exports') AND row_security_active('sessions') AND row_security_active('account_clocks') AS held,
        EXISTS (SELECT FROM session_exports) OR EXISTS (SELECT FROM account_clocks) OR EXISTS (SELECT id FROM sessions) AS "seesRows",
        current_database() || ' since ' || extract(epoch FROM pg_postmaster_start_time()) AS database`);
    return rows[0]!;
  } finally {
    await client.end().catch(() => {});
  }
}
