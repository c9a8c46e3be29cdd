import { ErrorBody, SessionList } from "@svc/contract/schemas";
import type { ErrorCode } from "@svc/contract/types";
import type { Expected } from "./expected-answer.ts";
import type { ExportRequest } from "./export-request.ts";
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
