import { readdirSync, readFileSync } from "node:fs";
import { addCustomer, playSession, readExport, seedSettled } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { Session, SessionField } from "@svc/contract/types";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { positionSince } from "./export.ts";
import type { ExportRequest } from "./export.ts";

const FIXTURES = new URL("../../../../contract/fixtures/", import.meta.url);
const fixture = (path: string): string => readFileSync(new URL(path, FIXTURES), "utf8");
const golden = readdirSync(new URL("sessions/", FIXTURES))
  .map((file) => JSON.parse(fixture(`sessions/${file}`)) as Session)
  .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));

async function body(
  database: TestDatabase,
  customer: Customer,
  request: Partial<ExportRequest>,
): Promise<string> {
  return (await readExport(database, customer, { format: "csv", ...request })).text;
}

async function seedGolden(database: TestDatabase): Promise<Customer> {
  const customer = await addCustomer(database.db);
  const { agentId } = customer.agent;
  await seedSettled(
    database.pool,
    customer,
    golden.map((session) => ({ ...session, agent_id: agentId })),
  );
  for (const { id, agent_id } of golden) {
    await database.pool.query("UPDATE session_exports SET agent_id = $2 WHERE id = $1", [
      id,
      agent_id,
    ]);
  }
  return customer;
}

describe("the golden sessions", () => {
  databaseTest("come out as CSV byte for byte", async ({ database }) => {
    const customer = await seedGolden(database);
    expect(await body(database, customer, {})).toBe(fixture("sessions.csv"));
  });

  databaseTest(
    "come out as JSON byte for byte, keys in the order of the documented list",
    async ({ database }) => {
      const customer = await seedGolden(database);
      const items = golden.map((session) => pick(session, SESSION_FIELDS));
      expect(await body(database, customer, { format: "json" })).toBe(JSON.stringify({ items }));
    },
  );

  databaseTest(
    "come out of the module's own functions as they are written",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const stored: (keyof Session)[] = ["metadata", "transcript", "summary", "evaluation"];
      const written = golden.filter(({ status }) => status === "processed");
      for (const { metadata, transcript, summary, evaluation } of written) {
        await playSession(database.db, customer, {
          metadata: metadata ?? {},
          turns: transcript!,
          settlement: { status: "processed", summary: summary!, evaluation: evaluation! },
        });
      }
      const items = written.map((session) => pick(session, stored));
      expect(await body(database, customer, { format: "json", fields: stored })).toBe(
        JSON.stringify({ items }),
      );
    },
  );
});

describe("CSV", () => {
  databaseTest(
    "has a bare header, quoted text, bare numbers and booleans, empty cells, CRLF",
    async ({ database }) => {
      const customer = await seedGolden(database);
      const lines = (
        await body(database, customer, {
          fields: ["email_verified", "duration_secs", "status", "email"],
        })
      ).split("\r\n");
      expect(lines.slice(0, 4)).toEqual([
        "email_verified,duration_secs,status,email",
        'true,184,"processed","ada.okafor@example.com"',
        ',,"abandoned",',
        ',0,"abandoned",',
      ]);
      expect(lines.at(-1)).toBe("");
    },
  );

  databaseTest(
    "columns follow the order of the fields, whichever they are",
    async ({ database }) => {
      const customer = await seedGolden(database);
      const rows = csvRows(fixture("sessions.csv"));
      const shuffled = fc.shuffledSubarray([...SESSION_FIELDS], { minLength: 1 });
      for (const fields of fc.sample(shuffled, { numRuns: 30, seed: 3 })) {
        const expected = rows.map((row) =>
          fields.map((field) => row[SESSION_FIELDS.indexOf(field)]).join(","),
        );
        expect(await body(database, customer, { fields })).toBe(
          expected.map((line) => `${line}\r\n`).join(""),
        );
      }
    },
  );

  databaseTest(
    "without a known field is an empty header line and an empty line per session",
    async ({ database }) => {
      const customer = await seedGolden(database);
      expect(await body(database, customer, { fields: [] })).toBe("\r\n".repeat(1 + golden.length));
      expect(
        await body(database, customer, { fields: [], after: positionSince(253_402_300_799) }),
      ).toBe("\r\n");
      expect(await body(database, customer, { after: positionSince(253_402_300_799) })).toBe(
        `${SESSION_FIELDS.join(",")}\r\n`,
      );
    },
  );
});

const known = JSON.parse(fixture("formula-texts.json")) as { text: string; guarded: boolean }[];

describe("formulas", () => {
  // S9
  databaseTest(
    "get one apostrophe in summary and email, exactly where they begin like one",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const texts = [
        ...known.map(({ text }) => text),
        ...fc.sample(hostileText, { numRuns: 1_900, seed: 5 }),
      ];
      await seedSettled(
        database.pool,
        customer,
        texts.map((text, index) => withText(customer, text, index)),
      );
      let position = positionSince(0);
      for (let at = 0; at < texts.length; at += 100) {
        const fields = ["summary", "email"] as const;
        const page = await readExport(database, customer, {
          format: "csv",
          fields,
          after: position,
        });
        const cells = texts.slice(at, at + 100).map(guarded);
        expect(page.text).toBe(
          ["summary,email", ...cells.map((cell) => `${cell},${cell}`), ""].join("\r\n"),
        );
        position = page.last!;
      }
    },
  );

  it.each(known)("are judged by a definition that knows the fixtures: $text", (one) => {
    expect(beginsLikeFormula(one.text)).toBe(one.guarded);
  });
});

const blank = Array.from(
  "\t\r\n \u0001\u007F\u00A0\u1680\u200B\u2029\u202E\u202F\u205F\u3000\uFEFF",
);
const unit = fc.oneof(
  fc.constantFrom(...blank),
  fc.constantFrom("=", "+", "-", "@", "＝", "＋", "－", "＠"),
  fc.constantFrom('"', "'", ",", "a", "1", "é", "👩", "\u2060", "\u00AD", "\u2013"),
);
const hostileText = fc.array(unit, { minLength: 1, maxLength: 5 }).map((chars) => chars.join(""));

/** A formula sign behind nothing but blanks, or a first character that ends a cell. */
function beginsLikeFormula(text: string): boolean {
  const isBlank = (char: string): boolean => /[\s\p{Cc}\u200B-\u200F\u202A-\u202E]/u.test(char);
  const first = Array.from(text).find((char) => !isBlank(char));
  return "\t\r\n".includes(text[0]!) || (first !== undefined && "=+-@＝＋－＠".includes(first));
}

function guarded(text: string): string {
  return `"${beginsLikeFormula(text) ? "'" : ""}${text.replaceAll('"', '""')}"`;
}

function withText(customer: Customer, text: string, index: number): Session {
  return {
    id: `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`,
    agent_id: customer.agent.agentId,
    status: "processed",
    summary: text,
    email: text,
    created_at: new Date(Date.UTC(2026, 0, 1) + index * 1_000 + 1).toISOString(),
  };
}

function pick(session: Session, fields: readonly SessionField[]): Partial<Session> {
  return Object.fromEntries(
    fields.filter((field) => field in session).map((field) => [field, session[field]]),
  );
}

/** The raw cells, including quotes. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, cell, end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    rows.at(-1)!.push(cell!);
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}
