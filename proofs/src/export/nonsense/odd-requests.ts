import { judgeError } from "./judge.ts";
import type { KnownAccount } from "./known-account.ts";
import { RawConnection } from "./raw-answer.ts";

/** Bytes that only just are HTTP, or are not. */
export interface OddRequest {
  name: string;
  bytes: Buffer;
  right: number | "hangs up";
}

/** Each is sent on a connection of its own. */
export function oddRequests({ token }: KnownAccount): OddRequest[] {
  const authorization = `Authorization: Bearer ${token}`;
  const path = "/v1/sessions.json?limit=1&fields=id";
  const request = (line: string, ...headers: string[]): string =>
    `${[line, "Host: svc.example.com", authorization, ...headers].join("\r\n")}\r\n\r\n`;
  const get = (...headers: string[]): string => request(`GET ${path} HTTP/1.1`, ...headers);
  const post = (...headers: string[]): string => request(`POST ${path} HTTP/1.1`, ...headers);

  const byAnswer: Record<string, Record<string, string>> = {
    200: {
      "HTTP/1.0 without Host": `GET ${path} HTTP/1.0\r\n${authorization}\r\n\r\n`,
      "an absolute address": request(`GET http://svc.example.com${path} HTTP/1.1`),
      "an escaped path": request("GET /v1/%73essions%2ejson?limit=1 HTTP/1.1"),
      "a GET with a body": `${get("Content-Length: 5")}hello`,
      "a GET with a chunked body": `${get("Transfer-Encoding: chunked")}5\r\nhello\r\n0\r\n\r\n`,
      "an upgrade to WebSocket": get("Connection: upgrade", "Upgrade: websocket"),
      "an upgrade to HTTP/2": get("Connection: upgrade, http2-settings", "Upgrade: h2c"),
      "a body announced with Expect": `${get("Expect: 100-continue", "Content-Length: 2")}{}`,
      "conditions and ranges": get("If-None-Match: *", "Range: bytes=0-1", "Accept: image/png"),
      "a version of the route": get("Accept-Version: 9"),
      "odd characters in the query": request(
        'GET /v1/sessions.json?limit=1&"<>\\^`{|}[]= HTTP/1.1',
      ),
    },
    400: {
      "no Host": `GET ${path} HTTP/1.1\r\n${authorization}\r\n\r\n`,
      "two Hosts": get("Host: other.example.com"),
      "a space in the query": request("GET /v1/sessions.json?limit= 5 HTTP/1.1"),
      "bytes that are no ASCII in the query": request(
        "GET /v1/sessions.json?fields=\xff\xe9 HTTP/1.1",
      ),
      "a broken escape in the path": request("GET /v1/%zz HTTP/1.1"),
      "a path without a slash": request("GET v1/sessions.json HTTP/1.1"),
      "a made-up method": request(`BREW ${path} HTTP/1.1`),
      "HTTP/3.0": request(`GET ${path} HTTP/3.0`),
      "the beginning of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "the beginning of TLS": "\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03",
      zeros: "\0".repeat(100),
      "bare line feeds": get().replaceAll("\r\n", "\n"),
      "a folded header": get("X-Folded: a\r\n b"),
      "a space before the colon": get("X-Spaced : a"),
      "NUL in a header": get("X-Nul: \0"),
      "a header without a colon": get("nonsense"),
      "two lengths": `${post("Content-Length: 6", "Content-Length: 5")}hello!`,
      "a negative length": post("Content-Length: -1"),
      "a length that is no number": post("Content-Length: five"),
      "a length and chunks": `${post("Content-Length: 6", "Transfer-Encoding: chunked")}0\r\n\r\nGET`,
      "chunks and a length": `${post("Transfer-Encoding: chunked", "Content-Length: 6")}0\r\n\r\nGET`,
    },
    404: {
      "another path": request("GET /v1/sessions HTTP/1.1"),
      "a trailing slash": request("GET /v1/sessions.json/ HTTP/1.1"),
      "a doubled slash": request("GET //v1/sessions.json HTTP/1.1"),
      "an escaped slash": request("GET /v1%2fsessions.json HTTP/1.1"),
      "a path in capitals": request("GET /V1/SESSIONS.JSON HTTP/1.1"),
      "a path upwards": request("GET /v1/../../etc/passwd HTTP/1.1"),
      "a path like a route's pattern": request("GET /:a(/*)+ HTTP/1.1"),
      "no path": request("OPTIONS * HTTP/1.1"),
    },
    405: {
      "a POST": `${post("Content-Length: 2", "Content-Type: application/json")}{}`,
      "a POST of no type": `${post("Content-Length: 2")}{}`,
      "a POST of a broken type": `${post("Content-Length: 2", "Content-Type: ;;;")}{}`,
      "a POST of broken JSON": `${post("Content-Length: 1", "Content-Type: application/json")}{`,
      "a QUERY": request(`QUERY ${path} HTTP/1.1`),
      "a DELETE": request(`DELETE ${path} HTTP/1.1`),
      "a TRACE": request(`TRACE ${path} HTTP/1.1`),
    },
    417: { "an expectation nobody has": get("Expect: nonsense") },
    431: {
      "a header of 64 KB": get(`X-Long: ${"a".repeat(65_536)}`),
      "an address of 64 KB": request(`GET /v1/sessions.json?fields=${"a".repeat(65_536)} HTTP/1.1`),
      "10,000 headers": get(...Array.from({ length: 10_000 }, () => "X: y")),
    },
    "hangs up": {
      "a tunnel": "CONNECT svc.example.com:443 HTTP/1.1\r\nHost: svc.example.com\r\n\r\n",
    },
  };
  return Object.entries(byAnswer).flatMap(([answer, requests]) =>
    Object.entries(requests).map(([name, text]) => ({
      name,
      bytes: Buffer.from(text, "latin1"),
      right: answer === "hangs up" ? answer : Number(answer),
    })),
  );
}

const PATIENCE_MS = 15_000;

/** Sends each on a connection of its own; what is wrong with the answers, in words. */
export async function checkOddRequests(
  url: string,
  requests: OddRequest[],
  onRequest: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, bytes, right } of requests) {
    const connection = await RawConnection.open(url);
    connection.send(bytes);
    const answer = await connection.answer(PATIENCE_MS);
    connection.close();
    onRequest();
    const got = typeof answer === "string" ? answer : answer.status;
    if (got !== (right === "hangs up" ? "hung up" : right))
      faults.push(`${name}: ${got}, not ${right}`);
    else if (typeof answer !== "string" && answer.status >= 400) {
      const error = judgeError(answer);
      if (typeof error === "string") faults.push(`${name}: ${error}`);
    }
  }
  return faults;
}
