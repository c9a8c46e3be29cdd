import { createServer } from "node:http";
import { Random } from "@svc/tools/random";
import pg from "pg";

/**
 * What the export is measured against, each in a process of its own (`node contenders.ts pg|http`):
 * - `pg`: a loop over `pg` that fetches the same rows and does nothing with them, the floor;
 * - `http`: the shortest server one would write over node:http and `pg`.
 */
const COLUMNS =
  "id, metadata, transcript, summary, evaluation, email, email_verified, duration_secs, created_at, status, agent_id";
const PAGE = {
  name: "page",
  text: `SELECT ${COLUMNS} FROM session_exports WHERE account_id = $1 AND created_at > to_timestamp($2) ORDER BY created_at, id LIMIT 100`,
};

interface Row {
  id: string;
  metadata: string | null;
  transcript: string | null;
  summary: string | null;
  evaluation: string | null;
  email: string | null;
  email_verified: boolean | null;
  duration_secs: number | null;
  created_at: Date;
  status: string;
  agent_id: string;
}

const [, , kind, url, accountId, ...rest] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: 8 });
const page = async (since: number): Promise<Row[]> =>
  (await pool.query<Row>({ ...PAGE, values: [accountId, since] })).rows;

if (kind === "pg") {
  const [firstSecs, spanSecs, concurrency, seed] = rest.map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const random = new Random(seed);
  // Rounds are asked for one at a time, so that contenders take turns on the same machine.
  process.on("message", (forMs: number) => {
    const until = performance.now() + forMs;
    let pages = 0;
    const loop = async (): Promise<void> => {
      while (performance.now() < until) {
        await page(firstSecs + random.integer(0, spanSecs - 1));
        pages++;
      }
    };
    void Promise.all(Array.from({ length: concurrency }, loop)).then(() =>
      process.send!({ pages }),
    );
  });
  process.send!({ ready: true });
} else {
  const server = createServer((request, response) => {
    const since = Number(new URL(request.url!, "http://localhost").searchParams.get("since"));
    void page(since).then((rows) => {
      response
        .setHeader("content-type", "application/json")
        .end(`{"items":[${rows.map(toJson).join(",")}]}`);
    });
  });
  server.listen(0, "127.0.0.1", () =>
    process.send!({ ready: true, port: (server.address() as { port: number }).port }),
  );
}

function toJson(row: Row): string {
  return `{"id":"${row.id}","metadata":${row.metadata},"transcript":${row.transcript},"summary":${JSON.stringify(row.summary)},"evaluation":${row.evaluation},"email":"${row.email}","email_verified":${row.email_verified},"duration_secs":${row.duration_secs},"created_at":"${row.created_at.toISOString()}","status":"${row.status}","agent_id":"${row.agent_id}"}`;
}
