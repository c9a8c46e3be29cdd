import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readImportLine } from "./import-line.ts";
import type { GivenSession } from "./import-line.ts";

const minimal = {
  id: "019cadd4-569d-7a90-8c44-90d2f7a1be02",
  agent_id: "agent_a1k7m2q4x5zr3w6t7b2c4d",
  status: "processed",
  created_at: "2026-03-02T09:15:00.125Z",
};

function read(
  line: unknown,
  agentId?: string,
  unevaluated = false,
): ReturnType<typeof readImportLine> {
  const text = typeof line === "string" ? line : JSON.stringify(line);
  return readImportLine({ number: 7, bytes: Buffer.from(text) }, { agentId, unevaluated });
}

function taken(line: unknown, agentId?: string): GivenSession {
  const found = read(line, agentId);
  if (Array.isArray(found)) throw new Error(found.map(({ problem }) => problem).join());
  return found;
}

/** Each as `field problem. Fix.` */
function refused(line: unknown, unevaluated = false): string[] {
  const found = read(line, undefined, unevaluated);
  if (!Array.isArray(found)) return [];
  return found.map(({ field, problem, fix }) => `${field ?? "The line"} ${problem}. ${fix}`);
}

describe("a line that is a session", () => {
  it("is taken as it is", () => {
    expect(taken({ ...minimal, email_verified: false, duration_secs: 0 })).toEqual({
      line: 7,
      id: minimal.id,
      agentId: minimal.agent_id,
      status: "processed",
      givenMs: Date.parse(minimal.created_at),
      metadata: null,
      transcript: null,
      summary: null,
      evaluation: null,
      email: null,
      emailVerified: false,
      durationSecs: 0,
    });
  });

  it("keeps every key and value of the contract's golden sessions", async () => {
    const folder = new URL("../../../../contract/fixtures/sessions/", import.meta.url);
    const files = await readdir(folder);
    for (const file of files) {
      const given = JSON.parse(await readFile(new URL(file, folder), "utf8")) as typeof minimal;
      const session = taken(given);
      const parsed = (text: string | null): unknown =>
        text === null ? undefined : JSON.parse(text);
      const back = {
        id: session.id,
        agent_id: session.agentId,
        status: session.status,
        metadata: parsed(session.metadata),
        transcript: parsed(session.transcript),
        summary: session.summary ?? undefined,
        evaluation: parsed(session.evaluation),
        email: session.email ?? undefined,
        email_verified: session.emailVerified ?? undefined,
        duration_secs: session.durationSecs ?? undefined,
        created_at: new Date(session.givenMs).toISOString(),
      };
      expect(JSON.parse(JSON.stringify(back)), file).toEqual(given);
    }
    expect(files.length).toBeGreaterThan(5);
  });

  it("may stand between spaces, behind a byte order mark and before a carriage return", () => {
    expect(taken(`\uFEFF  ${JSON.stringify(minimal)} \r`).id).toBe(minimal.id);
  });

  // S1
  it("loses NUL and lone surrogates, which cannot be stored, and nothing else", () => {
    const hostile = "\u202Eevil\u202C \uFEFF \uFFFF \u200D 👩‍👩‍👧‍👦";
    const session = taken({
      ...minimal,
      metadata: { "a\0": `\uD800${hostile}` },
      transcript: [{ role: "user", content: `\0${hostile}` }],
      summary: `${hostile}\uDC00`,
      evaluation: { insights: { "k\0": { value: hostile, evidence: "\0" } } },
    });
    expect(JSON.parse(session.metadata!)).toEqual({ "a\uFFFD": `\uFFFD${hostile}` });
    expect(JSON.parse(session.transcript!)).toEqual([
      { role: "user", content: `\uFFFD${hostile}` },
    ]);
    expect(session.summary).toBe(`${hostile}\uFFFD`);
    expect(JSON.parse(session.evaluation!)).toEqual({
      insights: { "k\uFFFD": { value: hostile, evidence: "\uFFFD" } },
    });
  });

  // S2
  it("keeps keys such as __proto__ as plain data", () => {
    const line = `{"metadata":{"__proto__":"a","constructor":"b"},${JSON.stringify(minimal).slice(1)}`;
    expect(taken(line).metadata).toBe('{"__proto__":"a","constructor":"b"}');
    expect(taken(line, "agent_x").metadata).toBe('{"__proto__":"a","constructor":"b"}');
  });

  it("has its time cut to milliseconds, in any offset", () => {
    const at = (created_at: string): string =>
      new Date(taken({ ...minimal, created_at }).givenMs).toISOString();
    expect(at("2026-03-02T10:15:00.9999+01:00")).toBe("2026-03-02T09:15:00.999Z");
    expect(at("2026-03-02T09:15:00Z")).toBe("2026-03-02T09:15:00.000Z");
    expect(at("1970-01-01T00:00:00Z")).toBe("1970-01-01T00:00:00.000Z");
  });

  it("is known by the same id in capitals", () => {
    expect(taken({ ...minimal, id: minimal.id.toUpperCase() }).id).toBe(minimal.id);
  });

  it("goes under the agent that is given for all, even without one of its own", () => {
    const { agent_id: _, ...without } = minimal;
    expect(taken(minimal, "agent_x").agentId).toBe("agent_x");
    expect(taken(without, "agent_x").agentId).toBe("agent_x");
  });
});

describe("a line that is refused", () => {
  it.each<[string, string]>([
    [
      "hello",
      "The line is no JSON. Write each session as one object on one line, as `jq -c` does.",
    ],
    [
      '{"id":',
      "The line is no JSON. Write each session as one object on one line, as `jq -c` does.",
    ],
    ["17", "The line is no object. Write each session as one object on one line, as `jq -c` does."],
    [
      "null",
      "The line is no object. Write each session as one object on one line, as `jq -c` does.",
    ],
    ["[{}]", "The line is a list. Take it apart: `jq -c '.[]'`."],
    ['{"items":[]}', "The line is a page of the export. Take it apart: `jq -c '.items[]'`."],
  ])("is no session: %s", (line, words) => {
    expect(refused(line)).toEqual([words]);
  });

  it("is not UTF-8, or too long", () => {
    const words = (bytes?: Uint8Array): unknown =>
      readImportLine({ number: 7, bytes }, { agentId: undefined, unevaluated: false });
    expect(words(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject([
      { line: 7, problem: "is not UTF-8" },
    ]);
    expect(words(Buffer.from('"x"', "utf16le"))).toMatchObject([{ problem: "is no JSON" }]);
    expect(words()).toMatchObject([{ line: 7, problem: "is longer than 4 MB" }]);
  });

  it.each<[string, object, string]>([
    [
      "still active",
      { status: "active" },
      "status is active. Import it once it has ended, or with --unevaluated.",
    ],
    ["no status", { status: undefined }, "status is missing. Write abandoned, processed or error."],
    [
      "another status",
      { status: "done" },
      "status has a value that is not known. Write abandoned, processed or error.",
    ],
    ["no id", { id: undefined }, "id is missing. Add it."],
    ["no UUID", { id: "17" }, "id is no UUID. Write one."],
    ["no agent", { agent_id: undefined }, "agent_id is missing. Add it."],
    [
      "no time",
      { created_at: "yesterday" },
      "created_at is no RFC 3339 time. Write it like 2026-03-02T09:15:00.125Z.",
    ],
    [
      "too early",
      { created_at: "1969-12-31T23:59:59.999Z" },
      "created_at is before 1970. Correct it.",
    ],
    ["null", { summary: null }, "summary is null. Leave it out."],
    ["empty", { summary: "" }, "summary is empty. Leave out what is empty."],
    ["an empty map", { metadata: {} }, "metadata is empty. Leave out what is empty."],
    ["an empty evaluation", { evaluation: {} }, "evaluation is empty. Leave out what is empty."],
    [
      "a number in metadata",
      { metadata: { seats: 25 } },
      "metadata.seats is no string. Write its JSON as a string.",
    ],
    [
      "metadata above its cap",
      { metadata: { note: "x".repeat(9_000) } },
      'metadata is too large. The value of "note" takes 9000 bytes, at most 8192 are stored. Shorten it.',
    ],
    [
      "a role",
      { transcript: [{ role: "system", content: "Be nice" }] },
      "transcript[0].role has a value that is not known. Write user or assistant.",
    ],
    [
      "not interrupted",
      { transcript: [{ role: "user", content: "Hi", interrupted: false }] },
      "transcript[0].interrupted has a value that is not known. Write true or leave it out.",
    ],
    [
      "a turn without text",
      { transcript: [{ role: "user", content: "" }] },
      "transcript[0].content is empty. Leave out what is empty.",
    ],
    [
      "an unknown key",
      { end_reason: "silence" },
      "end_reason is no field of a session. Leave it out.",
    ],
    ["a duration below zero", { duration_secs: -1 }, "duration_secs is out of range. Correct it."],
    [
      "a duration beyond 32 bits",
      { duration_secs: 2 ** 31 },
      "duration_secs is out of range. Correct it.",
    ],
    [
      "half a second",
      { duration_secs: 1.5 },
      "duration_secs is no whole number. Write one, or leave it out.",
    ],
    [
      "an address in capitals",
      { email: "Ada@example.com" },
      "email is no address in its normal form. Trim it, write it in lower case, and its domain in ASCII.",
    ],
    [
      "no address",
      { email: "ada" },
      "email is no address in its normal form. Trim it, write it in lower case, and its domain in ASCII.",
    ],
  ])("has %s", (_what, change, words) => {
    expect(refused({ ...minimal, ...change })).toEqual([words]);
  });

  it("says all that is wrong, and never repeats what the line says", () => {
    const secret = "ada@secret.example";
    const found = refused({
      ...minimal,
      id: secret,
      email: ` ${secret}`,
      status: "active",
      summary: 1,
    });
    expect(found.map((words) => words.split(" ", 1)[0])).toEqual(["id", "summary"]);
    expect(found.join()).not.toContain("secret");
    expect(refused({ ...minimal, email: ` ${secret}`, status: "active" })).toHaveLength(2);
  });

  // S4
  it("is too much: values, keys, numbers", () => {
    const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, "v"]));
    const first = (change: object): string | undefined => refused({ ...minimal, ...change })[0];
    expect(first({ metadata: { a: "x".repeat(1_048_576) } })).toMatch(/^metadata is too large/);
    expect(first({ metadata: keys })).toMatch(/^metadata is too large/);
    const line = `{"duration_secs":1e400,${JSON.stringify(minimal).slice(1)}`;
    expect(refused(line)).toHaveLength(1);
    expect(refused(line)[0]).toMatch(/^duration_secs is no /);
  });

  it("never comes from a key that stands twice: the last one counts, as in every JSON reader", () => {
    const line = `{"summary":"one",${JSON.stringify({ ...minimal, summary: "two" }).slice(1)}`;
    expect(taken(line).summary).toBe("two");
  });

  // S3
  it("is nested without end", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const line = `{"summary":${deep},${JSON.stringify(minimal).slice(1)}`;
    expect(refused(line)).toEqual(["summary is no string. Write one, or leave it out."]);
  });
});

describe("a line whose session is to be evaluated", () => {
  const { status: _, ...line } = {
    ...minimal,
    transcript: [
      { role: "assistant", content: "Hello" },
      { role: "user", content: "Hi" },
    ],
  };
  const readDue = (more: object = {}): ReturnType<typeof readImportLine> =>
    read({ ...line, ...more }, undefined, true);

  it.each([{}, { status: "active" }, { status: "error" }])("is taken with %j", (more) => {
    expect(readDue(more)).toMatchObject({ id: minimal.id, status: null, evaluation: null });
  });

  it.each([undefined, [{ role: "assistant", content: "Hello" }], [{ role: "user", content: " " }]])(
    "is abandoned when its visitor said nothing: %j",
    (transcript) => {
      expect(readDue({ transcript })).toMatchObject({ status: "abandoned" });
    },
  );

  it.each<[object, string]>([
    [{ status: "processed" }, "status is processed. Import it without --unevaluated."],
    [{ status: "abandoned" }, "status is abandoned. Import it without --unevaluated."],
    [{ evaluation: { language: "en" } }, "evaluation is there. Import it without --unevaluated."],
    [{ summary: "Short." }, "summary would be replaced by the evaluation's. Leave it out."],
  ])("is refused with %j", (more, words) => {
    expect(refused({ ...line, ...more }, true)).toEqual([words]);
  });
});
