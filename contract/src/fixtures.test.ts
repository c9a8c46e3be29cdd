import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Session, SessionEvaluatedEvent } from "./schemas/index.ts";
import { SESSION_FIELDS } from "./session-fields.ts";
import type * as types from "./types/index.ts";

const fixtures = new URL("../fixtures/", import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, fixtures), "utf8");
}

const names = readdirSync(new URL("sessions/", fixtures)).map((file) => file.replace(".json", ""));
const sessions = Object.fromEntries(
  names.map((name) => [name, JSON.parse(read(`sessions/${name}.json`)) as types.Session]),
);

describe("golden sessions", () => {
  it.each(names)("%s is a session, and parsing changes nothing in it", (name) => {
    expect(JSON.stringify(Session.parse(sessions[name]))).toBe(JSON.stringify(sessions[name]));
  });

  it("show every field and every status that the export carries", () => {
    expect(Object.keys(sessions.full!).toSorted()).toEqual([...SESSION_FIELDS].toSorted());
    expect(Object.keys(sessions.minimal!)).toEqual(["id", "agent_id", "status", "created_at"]);
    const statuses = new Set(Object.values(sessions).map(({ status }) => status));
    expect([...statuses].toSorted()).toEqual(["abandoned", "error", "processed"]);
  });

  it("show interrupted turns, and two assistant turns in a row", () => {
    const cut = sessions["interrupted-turns"]!.transcript!.filter((entry) => entry.interrupted);
    expect(cut.map(({ role }) => role)).toEqual(["assistant", "assistant"]);
    const roles = sessions["two-assistant-turns"]!.transcript!.map(({ role }) => role);
    expect(roles.join(" ")).toContain("assistant assistant");
  });
});

describe("the golden CSV", () => {
  const text = read("sessions.csv");
  const rows = parseCsv(text);
  const inOrder = Object.values(sessions).toSorted((a, b) =>
    a.created_at < b.created_at ? -1 : 1,
  );

  it("has a bare header row, then one row per session, oldest first", () => {
    expect(text.startsWith(`${SESSION_FIELDS.join(",")}\r\n"`)).toBe(true);
    expect(text.endsWith("\r\n")).toBe(true);
    expect(rows).toHaveLength(1 + names.length);
    expect(rows.slice(1).map((row) => row[0]!.value)).toEqual(inOrder.map(({ id }) => id));
  });

  it.each(inOrder.map((session, index) => ({ id: session.id, session, row: rows[index + 1]! })))(
    "writes every cell of $id as documented",
    ({ session, row }) => {
      expect(row).toEqual(SESSION_FIELDS.map((field) => expectedCell(field, session[field])));
    },
  );
});

interface Cell {
  value: string;
  quoted: boolean;
}

function expectedCell(field: types.SessionField, value: types.Session[types.SessionField]): Cell {
  if (value === undefined) return { value: "", quoted: false };
  if (typeof value === "number" || typeof value === "boolean")
    return { value: String(value), quoted: false };
  if (typeof value === "object") return { value: JSON.stringify(value), quoted: true };
  const guarded =
    (field === "summary" || field === "email") &&
    /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(value);
  return { value: guarded ? `'${value}` : value, quoted: true };
}

function parseCsv(text: string): Cell[][] {
  const rows: Cell[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    const cell =
      quoted === undefined
        ? { value: bare!, quoted: false }
        : { value: quoted.replaceAll('""', '"'), quoted: true };
    rows.at(-1)!.push(cell);
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

describe("formula texts", () => {
  const texts = JSON.parse(read("formula-texts.json")) as { text: string; guarded: boolean }[];

  it.each(texts)("$text", ({ text, guarded }) => {
    expect(expectedCell("summary", text).value).toBe(guarded ? `'${text}` : text);
  });
});

interface SignedBody {
  name: string;
  secret: string;
  body: string;
  signature: string;
}

describe("signed webhooks", () => {
  const { signed, rfc4231 } = JSON.parse(read("signed-webhooks.json")) as {
    signed: SignedBody[];
    rfc4231: SignedBody;
  };

  it.each([...signed, rfc4231])(
    "carry the hex HMAC-SHA256 of the raw body: $name",
    ({ secret, body, signature }) => {
      expect(createHmac("sha256", secret).update(body).digest("hex")).toBe(signature);
    },
  );

  it.each(signed)("are session.evaluated events: $name", ({ secret, body }) => {
    expect(secret).toMatch(/^whsec_[\w+/]+=*$/);
    expect(SessionEvaluatedEvent.parse(JSON.parse(body)).data.status).toBe("processed");
  });

  it("show one session evaluated twice under the same id", () => {
    const events = signed.map(({ body }) => JSON.parse(body) as types.SessionEvaluatedEvent);
    const twice = events.filter(({ data }) => data.id === sessions["interrupted-turns"]!.id);
    expect(twice).toHaveLength(2);
    expect(twice[0]!.data.evaluation).not.toEqual(twice[1]!.data.evaluation);
  });

  it("show a body that parsing and writing again would break", () => {
    expect(signed.filter(({ body }) => JSON.stringify(JSON.parse(body)) !== body)).toHaveLength(1);
  });
});
