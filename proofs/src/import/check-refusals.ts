import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { randomUUID } from "node:crypto";
import type { Session } from "@svc/contract/types";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { toLines } from "./import-file.ts";
import { startSvc } from "./import-case.ts";
import { tableDigest } from "./check-stamps.ts";

/** Imports a file that has something wrong on known lines; returns what was not refused as it must be. */
export async function checkRefusals(
  database: TestDatabase,
  customer: Customer,
  other: Customer,
  folder: string,
): Promise<{ planted: number; wrong: string[] }> {
  const own = await exportedOf(database, customer);
  const theirs = await exportedOf(database, other);
  const good = (change: object = {}): object => ({
    id: randomUUID(),
    agent_id: customer.agent.agentId,
    status: "processed",
    created_at: "2026-03-02T09:15:00.125Z",
    ...change,
  });
  const ahead = new Date(Date.now() + 600_000).toISOString();
  const planted: [line: unknown, field: string | undefined][] = [
    [good({ status: "active" }), "status"],
    [good({ ...own, summary: "Something else was said." }), "id"],
    [good({ ...own, created_at: "2026-03-02T09:15:00.125Z" }), "id"],
    [good({ ...theirs, agent_id: customer.agent.agentId }), "id"],
    [good({ agent_id: other.agent.agentId }), "agent_id"],
    [good({ created_at: ahead }), "created_at"],
    [good({ created_at: "02.03.2026" }), "created_at"],
    [good({ email: " Ada@Example.com" }), "email"],
    [good({ metadata: { seats: 25 } }), "metadata.seats"],
    [good({ metadata: { note: "x".repeat(8_193) } }), "metadata"],
    [
      good({
        transcript: [
          { role: "user", content: "Hi" },
          { role: "tool", content: "x" },
        ],
      }),
      "transcript[1].role",
    ],
    [
      good({ evaluation: { questions: { size: { was_asked: true } } } }),
      "evaluation.questions.size.was_answered",
    ],
    [good({ summary: null }), "summary"],
    [good({ duration_secs: -1 }), "duration_secs"],
    [good({ end_reason: "silence" }), "end_reason"],
    ["not JSON", undefined],
    [[good()], undefined],
    ["x".repeat(4_200_000), undefined],
  ];

  // Good lines and blank ones between them, so that a line is found by counting, not by luck.
  const path = join(folder, "refused.ndjson");
  await writeFile(path, "");
  const expected: { line: number; field: string | undefined }[] = [];
  let line = 0;
  for (const [index, [content, field]] of planted.entries()) {
    const before = index % 3 === 0 ? `${toLines([good(), good()])}\n\r\n` : toLines([good()]);
    line += before.split("\n").length;
    expected.push({ line, field });
    await appendFile(
      path,
      before + (typeof content === "string" ? `${content}\n` : toLines([content])),
    );
  }
  const latin1 = Buffer.from(`${JSON.stringify(good({ summary: "Größe" }))}\n`, "latin1");
  await appendFile(path, latin1);
  expected.push({ line: line + 1, field: undefined });

  const before = await tableDigest(database);
  const argv = ["sessions", "import", path, "--account", customer.account.clientId];
  const { exitCode, output } = await startSvc(database, argv, { cwd: folder }).ended;
  const problems = (output["problems"] ?? []) as { line: number; field?: string }[];
  const found = problems.map(({ line: at, field }) => ({ line: at, field }));
  const wrong: string[] = [];
  if (exitCode !== 1) wrong.push(`the exit code is ${exitCode}`);
  if (output["imported"] !== 0 || (await tableDigest(database)) !== before)
    wrong.push("something was written");
  for (const [index, one] of expected.entries())
    if (!isDeepStrictEqual(found[index], one))
      wrong.push(`expected ${JSON.stringify(one)}, found ${JSON.stringify(found[index])}`);
  if (JSON.stringify(output).includes(other.account.clientId))
    wrong.push("it tells whose an id is");
  return { planted: expected.length, wrong };
}

async function exportedOf(
  { pool }: TestDatabase,
  { account }: Customer,
): Promise<Partial<Session>> {
  const { rows } = await pool.query<{ id: string; status: Session["status"]; created_at: Date }>(
    "SELECT id, status, created_at FROM session_exports WHERE account_id = $1 LIMIT 1",
    [account.id],
  );
  const { id, status, created_at } = rows[0]!;
  return { id, status, created_at: created_at.toISOString() };
}
