import { ErrorBody, SessionList } from "@svc/contract/schemas";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { ErrorCode } from "@svc/contract/types";
import type { ExportRequest } from "./export-request.ts";
import type { KnownAccount } from "./known-account.ts";
import type { Answer } from "./raw-answer.ts";

/** What is wrong with the answer to a request, in words; undefined when nothing is. */
export function judge(
  request: ExportRequest,
  expected: Expected,
  answer: Answer,
): string | undefined {
  const { status } = answer;
  if (expected.status === "200 or 400") {
    if (status === 200) return undefined;
    return judge(request, { ...expected, status: 400 }, answer);
  }
  if (status !== expected.status) return `${status} instead of ${expected.status}`;
  if (expected.status === 200) {
    return request.format === "json" ? judgeJson(expected, answer) : judgeCsv(expected, answer);
  }
  const error = judgeError(answer);
  if (typeof error === "string") return error;
  if (expected.status === 401)
    return error.code === "unauthorized" ? undefined : `code ${error.code}`;
  const { code, parameter } = error;
  if (code !== "invalid_parameter") return `code ${code}`;
  return expected.parameters.has(parameter ?? "") ? undefined : `blames ${parameter}`;
}

/** What every answer of 400 and above must have; the error it tells, or what is wrong with it. */
export function judgeError(answer: Answer): string | { code: ErrorCode; parameter?: string } {
  const { status, body } = answer;
  if (status < 400 || status > 499) return `status ${status}`;
  const type = valuesOf(answer, "content-type").join();
  if (!/^application\/json\b/.test(type)) return `${status} with the content type "${type}"`;
  const cache = valuesOf(answer, "cache-control").join();
  if (cache !== "no-store") return `${status} with cache-control "${cache}"`;
  const error = ErrorBody.safeParse(parseJson(body));
  if (!error.success) return `${status} with the body ${body.toString().slice(0, 200)}`;
  if (status === 401) {
    const challenges = valuesOf(answer, "www-authenticate");
    const [basic, bearer] = challenges;
    const asks = basic === 'Basic realm="Svc", charset="UTF-8"' && /^Bearer\b/.test(bearer ?? "");
    if (!asks || challenges.length > 2)
      return `401 with the challenges ${challenges.join(" and ")}`;
  }
  return error.data.error;
}

function judgeJson(expected: Expected & { status: 200 }, answer: Answer): string | undefined {
  const list = SessionList.safeParse(parseJson(answer.body));
  if (!list.success) return `200 with the body ${answer.body.toString().slice(0, 200)}`;
  const { items } = list.data;
  if (items.length !== expected.items) return `${items.length} items, not ${expected.items}`;
  const key = items
    .flatMap((item) => Object.keys(item))
    .find((one) => !expected.fields.includes(one));
  return key && `an item with "${key}", which was not asked for`;
}

function judgeCsv(expected: Expected & { status: 200 }, answer: Answer): string | undefined {
  const header = answer.body.toString("utf8", 0, answer.body.indexOf("\r\n"));
  return header === expected.fields.join(",") ? undefined : `the header "${header}"`;
}

function valuesOf({ headers }: Answer, name: string): string[] {
  return headers.filter(([one]) => one === name).map(([, value]) => value);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

export type Expected =
  | { status: 200; items: number; fields: string[] }
  | { status: 400; parameters: Set<string> }
  | { status: 401 }
  /** A cursor made from one of the server's: it may be one or not, but never a defect. */
  | { status: "200 or 400"; parameters: Set<string> };

/**
 * What the documentation promises for a request. Written from the documentation alone, in plain
 * steps, so that a mistake in the server is not made here again.
 */
export function expectedAnswer(request: ExportRequest, known: KnownAccount): Expected {
  if (!request.credentials.areValid) return { status: 401 };

  const given = (name: string): string[] =>
    request.parameters.filter((one) => one.name.text === name).map((one) => one.value?.text ?? "");
  const sinces = given("since");
  const limits = given("limit");
  const cursors = given("cursor");

  const faults = new Set<string>();
  if (sinces.length > 1 || !sinces.every(isInt64)) faults.add("since");
  if (limits.length > 1 || !limits.every(isLimit)) faults.add("limit");
  const cursor = known.cursors.find(({ text }) => text === cursors[0]);
  const resembles = known.cursors.some(({ text }) => cursors[0]?.includes(text.slice(0, 8)));
  if (cursors.length > 1 || (cursors.length === 1 && cursor === undefined && !resembles)) {
    faults.add("cursor");
  }
  if (faults.size > 0) return { status: 400, parameters: faults };
  if (cursors.length === 1 && cursor === undefined) {
    return { status: "200 or 400", parameters: new Set(["cursor"]) };
  }

  const sinceMs = BigInt(sinces[0] ?? "0") * 1_000n;
  const passed = cursor?.passed ?? known.startedAtMs.filter((ms) => BigInt(ms) <= sinceMs).length;
  const limit = BigInt(limits[0] ?? "100");
  const most = limit > 100n ? 100 : Number(limit);
  const left = known.startedAtMs.length - passed;
  return { status: 200, items: Math.min(left, most), fields: fieldsOf(given("fields").join(",")) };
}

function isInt64(text: string): boolean {
  if (!/^-?[0-9]+$/.test(text)) return false;
  const value = BigInt(text);
  return value >= -9_223_372_036_854_775_808n && value <= 9_223_372_036_854_775_807n;
}

function isLimit(text: string): boolean {
  return /^[0-9]+$/.test(text) && BigInt(text) > 0n;
}

function fieldsOf(list: string): string[] {
  const available: readonly string[] = SESSION_FIELDS;
  if (list === "") return [...available];
  const wanted = list.split(",").map((name) => name.trim());
  return wanted.filter((name, at) => available.includes(name) && wanted.indexOf(name) === at);
}
