import { createServer } from "node:http";
import pg from "pg";

/** A server by hand: each address answers with the rows of its statements, and asks nobody who wants them. */
export interface BareAnswers {
  databaseUrl: string;
  port: number;
  statements: string[][];
}

if (import.meta.main) {
  const { databaseUrl, port, statements } = JSON.parse(process.argv[2]!) as BareAnswers;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  createServer((request, response) => {
    const wanted = statements[Number(request.url!.slice(1))] ?? [];
    void (async () => {
      const rows: unknown[] = [];
      for (const statement of wanted) rows.push((await pool.query(statement)).rows);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(rows));
    })().catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(port, "127.0.0.1", () => process.stdout.write("ready\n"));
}
