import { judgeError } from "./judge.ts";
import type { Answer, RawConnection } from "./raw-answer.ts";

/** A request to the export: what is sent, and beside it what is meant. */
export interface ExportRequest {
  format: "json" | "csv";
  parameters: Parameter[];
  credentials: Credentials;
  /** The visitor's address, as a proxy in front of the server gives it. */
  from: string;
}

/** Without a value it is sent without `=`, which means the same as an empty one. */
export interface Parameter {
  name: Encoded;
  value: Encoded | undefined;
}

/** Text and one way to write it in an address. */
export interface Encoded {
  raw: string;
  text: string;
}

export interface Credentials {
  /** One `Authorization` header each. */
  headers: string[];
  areValid: boolean;
}

export function requestBytes({ format, parameters, credentials, from }: ExportRequest): Buffer {
  const query = parameters.map(({ name, value }) =>
    value === undefined ? name.raw : `${name.raw}=${value.raw}`,
  );
  const target = `/v1/sessions.${format}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const lines = [
    `GET ${target} HTTP/1.1`,
    "Host: svc.example.com",
    `X-Forwarded-For: ${from}`,
    ...credentials.headers.map((value) => `Authorization: ${value}`),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

const PATIENCE_MS = 15_000;

/** Asks for one session and says what is wrong when the answer is not the right one. */
export async function askForPage(
  connection: RawConnection,
  authorization: string,
  right: number,
): Promise<{ answer: Answer | undefined; fault: string | undefined }> {
  const lines = [
    "GET /v1/sessions.json?limit=1 HTTP/1.1",
    "Host: svc.example.com",
    `Authorization: ${authorization}`,
  ];
  connection.send(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`));
  const answer = await connection.answer(PATIENCE_MS);
  if (typeof answer === "string") {
    connection.close();
    return { answer: undefined, fault: `no answer, the server ${answer}` };
  }
  const error = answer.status >= 400 ? judgeError(answer) : undefined;
  const wrong = answer.status === right ? undefined : `${answer.status} instead of ${right}`;
  return { answer, fault: wrong ?? (typeof error === "string" ? error : undefined) };
}
