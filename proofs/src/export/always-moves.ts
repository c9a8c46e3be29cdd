import { createHash } from "node:crypto";
import { addCustomer, seedSettled } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import pg from "pg";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";

/** Sessions of a page, as many as there may be. */
const LIMIT = 100;
/** What the limits on a conversation leave: 500 turns, 256 KB. */
const LARGEST_BYTES = 262_144;
/** What could be stored before there were limits. */
const OVERSIZED_BYTES = 18 * 1_048_576;
/** The time that a page had when one statement read all of it. It was too short for 40 of the oversized; fewer get as much less. */
const ONE_STATEMENT_MS = 3_000;
const TOO_MANY = 40;
const FIELDS = "id,transcript,created_at";
const FORMATS = ["json", "csv"] as const;
type Format = (typeof FORMATS)[number];

// P11
export const exportAlwaysMoves: Claim<undefined> = {
  promise: "No session is too large for the export: the documented loop ends, at the largest limit",
  bound: "0 pages refused, shortened or with a byte changed",
  timeLimitSecs: { quick: 300, full: 2700 },
  tier: "nightly",
  prove: async ({ sized, say, onEnd, progress }) => {
    const counts = sized({
      quick: { largest: 100, oversized: 8 },
      full: { largest: 1_000, oversized: 100 },
    });
    const stage = await openStage({ settings: { shared_buffers: "512MB" } });
    onEnd(() => stage.close());
    const customer = await addCustomer(stage.database.db);
    const sessions = await seedLarge(stage.database, customer, counts);
    const withinMs = Math.round(ONE_STATEMENT_MS * Math.min(1, counts.oversized / TOO_MANY));
    const refused = await readAtOnce(stage.database, customer, withinMs);
    say(
      `control: one statement of ${withinMs} ms for a page of the oversized: ${refused ?? "was in time"}`,
    );

    const { url } = await stage.startServer({ SVC_LOG_LEVEL: "warn" });
    const walks: Walk[] = [];
    for (const format of FORMATS) {
      const walk = await walkExport(
        `${url}/v1/sessions.${format}`,
        customer,
        format,
        sessions,
        (page) => progress(page, Math.ceil(sessions.length / LIMIT), `pages of ${format}`),
      );
      for (const fault of walk.faults) say(`${format}: ${fault}`);
      say(
        `${format}: ${walk.pages} pages, ${(walk.bytes / 1e6).toFixed(0)} MB in ${(walk.tookMs / 1_000).toFixed(0)} s, the largest ${(walk.largestBytes / 1e6).toFixed(0)} MB`,
      );
      walks.push(walk);
    }
    const faults = walks.flatMap((walk) => walk.faults).length;
    const pages = walks.reduce((sum, walk) => sum + walk.pages, 0);
    const largest = Math.max(...walks.map((walk) => walk.largestBytes));
    return {
      figure: `${faults} faults in ${pages} pages of up to ${(largest / 1e6).toFixed(0)} MB; control ${refused ?? "was in time"}`,
      ok: faults === 0 && refused !== undefined,
      size: `${sessions.length} sessions, ${counts.oversized} of 18 MB`,
    };
  },
};

interface Stored {
  id: string;
  createdAt: string;
  /** What is repeated, and how often: the text itself would not fit into memory for all of them. */
  unit: string;
  times: number;
}

const BEFORE = '[{"role":"user","content":"';
const AFTER = '"}]';

/** Sessions more than a second apart, the oversized in the middle. Texts have quotes, which CSV doubles. */
async function seedLarge(
  { pool }: TestDatabase,
  customer: Customer,
  { largest, oversized }: { largest: number; oversized: number },
): Promise<Stored[]> {
  const sessions = Array.from({ length: largest + oversized }, (_, index) => {
    const id = `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`;
    const isOversized = index >= largest / 2 && index < largest / 2 + oversized;
    const hash = createHash("sha256").update(id);
    const unit = `${hash.digest("base64")} said \\"é\\". `;
    const bytes = isOversized ? OVERSIZED_BYTES : LARGEST_BYTES;
    return {
      id,
      createdAt: new Date(Date.UTC(2026, 0, 1) + index * 1_100 + 1).toISOString(),
      unit,
      times: Math.ceil(bytes / Buffer.byteLength(unit)),
    };
  });
  await seedSettled(
    pool,
    customer,
    sessions.map(({ id, createdAt }) => ({
      id,
      agent_id: customer.agent.agentId,
      status: "processed",
      created_at: createdAt,
    })),
  );
  for (const { id, unit, times } of sessions) {
    await pool.query(
      "UPDATE session_exports SET transcript = $2 || repeat($3, $4) || $5 WHERE id = $1",
      [id, BEFORE, unit, times, AFTER],
    );
  }
  return sessions;
}

/** Returns how PostgreSQL refuses to read the page with the oversized sessions by one statement. */
async function readAtOnce(
  { url, pool }: TestDatabase,
  customer: Customer,
  withinMs: number,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ at: Date }>(
    "SELECT min(created_at) AS at FROM session_exports WHERE octet_length(transcript) > $1",
    [LARGEST_BYTES * 2],
  );
  const client = new pg.Client({ connectionString: url, statement_timeout: withinMs });
  await client.connect();
  try {
    await client.query(
      `COPY (SELECT id, transcript, created_at FROM session_exports WHERE account_id = ${customer.account.id} AND created_at >= '${rows[0]!.at.toISOString()}'
         ORDER BY created_at, id LIMIT ${LIMIT}) TO '/dev/null' (FORMAT csv, FORCE_QUOTE (transcript))`,
    );
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => {});
  }
}

interface Walk {
  pages: number;
  bytes: number;
  largestBytes: number;
  tookMs: number;
  faults: string[];
}

/** The documented loop. Bodies are hashed as they come: the largest are too large for one string. */
async function walkExport(
  address: string,
  customer: Customer,
  format: Format,
  sessions: Stored[],
  onPage: (page: number) => void,
): Promise<Walk> {
  const startedAt = performance.now();
  const walk: Walk = { pages: 0, bytes: 0, largestBytes: 0, tookMs: 0, faults: [] };
  for (let since = 0; ;) {
    const expected = sessions
      .filter(({ createdAt }) => Date.parse(createdAt) > since * 1_000)
      .slice(0, LIMIT);
    const response = await fetch(`${address}?since=${since}&limit=${LIMIT}&fields=${FIELDS}`, {
      headers: { authorization: `Bearer ${customer.token}` },
    });
    const hash = createHash("sha256");
    let bytes = 0;
    try {
      for await (const chunk of response.body!) {
        hash.update(chunk);
        bytes += chunk.length;
      }
    } catch (error) {
      walk.faults.push(`since ${since}: cut after ${bytes} bytes: ${(error as Error).message}`);
    }
    if (response.status !== 200) walk.faults.push(`since ${since}: status ${response.status}`);
    else if (hash.digest("hex") !== hashOf(expected, format))
      walk.faults.push(
        `since ${since}: ${bytes} bytes that are not those of its ${expected.length} sessions`,
      );
    walk.pages += 1;
    walk.bytes += bytes;
    walk.largestBytes = Math.max(walk.largestBytes, bytes);
    onPage(walk.pages);
    const last = Math.floor(Date.parse(expected.at(-1)!.createdAt) / 1_000);
    // A page that cannot be read, or a loop that stands still, would be asked for again without end.
    if (walk.faults.length > 0 || last === since) break;
    since = last;
  }
  walk.tookMs = performance.now() - startedAt;
  return walk;
}

/** The hash of a page, written from the specification without the product's code. */
function hashOf(sessions: Stored[], format: Format): string {
  const hash = createHash("sha256");
  hash.update(format === "json" ? '{"items":[' : `${FIELDS}\r\n`);
  for (const [index, { id, createdAt, unit, times }] of sessions.entries()) {
    const text = format === "json" ? unit : unit.replaceAll('"', '""');
    const quoted = (json: string): string =>
      format === "json" ? json : json.replaceAll('"', '""');
    if (format === "json")
      hash.update(`${index > 0 ? "," : ""}{"id":"${id}","transcript":${BEFORE}`);
    else hash.update(`"${id}","${quoted(BEFORE)}`);
    for (let left = times; left > 0; left -= 1_000) hash.update(text.repeat(Math.min(left, 1_000)));
    hash.update(
      format === "json"
        ? `${AFTER},"created_at":"${createdAt}"}`
        : `${quoted(AFTER)}","${createdAt}"\r\n`,
    );
  }
  hash.update(format === "json" ? "]}" : "");
  return hash.digest("hex");
}
