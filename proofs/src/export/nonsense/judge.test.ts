import { expect, it } from "vitest";
import type { ExportRequest } from "./export-request.ts";
import { expectedAnswer, judge, judgeError } from "./judge.ts";
import type { Expected } from "./judge.ts";
import type { Answer } from "./raw-answer.ts";

const known = {
  token: "t",
  clientId: "c",
  foreignToken: "f",
  revokedToken: "r",
  startedAtMs: [1_001, 2_001, 3_001],
  cursors: [{ text: "a-cursor-of-ours", passed: 2 }],
};

function expected(query: string, areValid = true): Expected {
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => ({
    name: { raw: name, text: name },
    value: { raw: value, text: value },
  }));
  const credentials = { headers: [], areValid };
  return expectedAnswer({ format: "json", parameters, credentials, from: "" }, known);
}

it.each([
  ["", { status: 200, items: 3 }],
  ["since=2", { status: 200, items: 2 }],
  ["since=-5&limit=2", { status: 200, items: 2 }],
  ["since=9223372036854775807", { status: 200, items: 0 }],
  [`limit=1${"0".repeat(50)}`, { status: 200, items: 3 }],
  ["cursor=a-cursor-of-ours", { status: 200, items: 1 }],
  ["fields=id,+summary,id,nonsense", { status: 200, fields: ["id", "summary"] }],
  ["fields=nonsense", { status: 200, fields: [] }],
  ["nonsense=1&nonsense=2", { status: 200 }],
  ["since=9223372036854775808", { status: 400, parameters: new Set(["since"]) }],
  ["since=1&since=1", { status: 400, parameters: new Set(["since"]) }],
  ["limit=0&since=", { status: 400, parameters: new Set(["since", "limit"]) }],
  ["limit=٣", { status: 400, parameters: new Set(["limit"]) }],
  ["cursor=nonsense", { status: 400, parameters: new Set(["cursor"]) }],
])("knows what is right for ?%s", (query, right) => {
  expect(expected(query)).toMatchObject(right);
});

it("looks at credentials before parameters", () => {
  expect(expected("limit=0", false)).toEqual({ status: 401 });
});

const type: [string, string] = ["content-type", "application/json; charset=utf-8"];
const noStore: [string, string] = ["cache-control", "no-store"];
const basic: [string, string] = ["www-authenticate", 'Basic realm="Svc", charset="UTF-8"'];
const bearer: [string, string] = ["www-authenticate", 'Bearer realm="Svc"'];
const answer = (status: number, headers: Answer["headers"], body: unknown): Answer => ({
  status,
  headers,
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});
const error = { error: { code: "unauthorized", message: "No." } };

it("takes a documented refusal for what it is", () => {
  const refusal = answer(401, [type, noStore, basic, bearer], error);
  expect(judgeError(refusal)).toEqual(error.error);
});

it.each([
  ["a status of ours", answer(500, [type, noStore], error)],
  ["no body", answer(400, [type, noStore], "")],
  ["a key too many", answer(400, [type, noStore], { ...error, more: 1 })],
  ["another content type", answer(400, [["content-type", "text/html"], noStore], error)],
  ["an answer that may be stored", answer(400, [type], error)],
  ["one challenge", answer(401, [type, noStore, basic], error)],
  ["no challenge", answer(401, [type, noStore], error)],
])("refuses %s", (_, wrong) => {
  expect(judgeError(wrong)).toBeTypeOf("string");
});

it("counts the sessions and looks at their fields", () => {
  const request: ExportRequest = {
    format: "json",
    parameters: [],
    credentials: { headers: [], areValid: true },
    from: "",
  };
  const right: Expected = { status: 200, items: 1, fields: ["summary"] };
  const items = (...all: object[]): Answer => answer(200, [type], { items: all });
  expect(judge(request, right, items({ summary: "a" }))).toBeUndefined();
  expect(judge(request, right, items({ summary: "a" }, { summary: "b" }))).toBe("2 items, not 1");
  expect(judge(request, right, items({ email: "a" }))).toContain('"email"');
});
