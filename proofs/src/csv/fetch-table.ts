import type { Session } from "@svc/contract/types";
import { firstAfter, queryOf, secondOf } from "./table-request.ts";
import type { Mark, TableRequest } from "./table-request.ts";

const MARKS = 30;
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** How the proof reaches the server. */
export interface Reach {
  url: string;
  token: string;
}

/** Asks for one table, checks what comes with it, and returns its bytes without the byte order mark. */
export async function fetchTable(reach: Reach, request: TableRequest): Promise<Buffer> {
  const { headers, body } = await get(reach, queryOf(request), request.asPage);
  const wanted = {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": 'attachment; filename="sessions.csv"',
    vary: "Sec-Fetch-Dest",
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (headers.get(name) !== value)
      throw new Error(`${name} is ${headers.get(name)}, not ${value}`);
  }
  const marked = body.subarray(0, 3).equals(BYTE_ORDER_MARK);
  if (marked !== request.asPage)
    throw new Error(`a byte order mark ${marked ? "too many" : "is missing"}`);
  return marked ? body.subarray(3) : body;
}

/** Cursors of places spread over the sessions, as the server gives them in `Link`. */
export async function fetchMarks(reach: Reach, sessions: readonly Session[]): Promise<Mark[]> {
  const marks: Mark[] = [];
  for (let index = 0; index < sessions.length; index += Math.ceil(sessions.length / MARKS)) {
    const since = secondOf(sessions[index]!);
    const { headers } = await get(reach, `fields=&limit=1&since=${since}`);
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "") ?? [];
    if (next === undefined) throw new Error(`no next page after ${since}: ${headers.get("link")}`);
    const cursor = new URL(next).searchParams.get("cursor")!;
    marks.push({ cursor, index: firstAfter(sessions, since) });
  }
  return marks;
}

async function get(
  { url, token }: Reach,
  query: string,
  asPage = false,
): Promise<{ headers: Headers; body: Buffer }> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(asPage && { "sec-fetch-dest": "document" }),
  };
  const answer = await fetch(`${url}/v1/sessions.csv?${query}`, { headers });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${body.toString()}`);
  return { headers: answer.headers, body };
}
