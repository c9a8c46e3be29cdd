import fc from "fast-check";
import { assertInLanes } from "../../lanes/assert-in-lanes.ts";
import type { RequestRun } from "./check-requests.ts";
import { judgeError } from "./judge.ts";
import type { KnownAccount } from "./known-account.ts";
import { RawConnection } from "./raw-answer.ts";

/** A request that lost its end gets no answer: the server waits for the rest. */
const PATIENCE_MS = 250;

/**
 * Sends sound requests with a few bytes changed, each on its own connection: what is not served
 * must be refused as documented. Returns the smallest that is not, and how.
 */
export async function checkMutants(run: RequestRun): Promise<string[]> {
  let answered = 0;
  let unanswered = 0;
  const check = async (text: string): Promise<void> => {
    const connection = await RawConnection.open(run.url);
    connection.send(Buffer.from(text, "latin1"));
    const answer = await connection.answer(PATIENCE_MS);
    connection.close();
    run.onRequest();
    if (typeof answer === "string") return void unanswered++;
    answered++;
    if (answer.status === 200) return;
    const error = judgeError(answer);
    if (typeof error === "string") throw new Error(error);
  };
  const { known, seed, total: runs, timeMs } = run;
  const options = { lanes: 3, runs, seed, timeMs };
  const faults = await assertInLanes(mutants(known), () => ({ check }), options).then(
    () => [],
    (error: Error) => [error.message],
  );
  return answered > unanswered ? faults : [...faults, `${unanswered} mutants were not answered`];
}

function mutants({ token }: KnownAccount): fc.Arbitrary<string> {
  const head = (from: string): string =>
    [
      "GET /v1/sessions.json?limit=1&fields=id HTTP/1.1",
      "Host: svc.example.com",
      `X-Forwarded-For: ${from}`,
      `Authorization: Bearer ${token}`,
    ].join("\r\n");
  const ends = [
    "\r\n\r\n",
    "\r\nContent-Length: 5\r\n\r\nhello",
    "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  ];
  const sound = fc
    .tuple(fc.ipV4(), fc.constantFrom(...ends))
    .map(([from, end]) => head(from) + end);
  return fc
    .tuple(sound, fc.array(edit, { minLength: 1, maxLength: 3 }))
    .map(([text, edits]) => edits.reduce((mutant, change) => change(mutant), text));
}

type Edit = (text: string) => string;

const byte: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("\0", "\t", "\n", "\r", " ", "%", ":", "\x7f", "\xff"),
  fc.nat(255).map((code) => String.fromCharCode(code)),
);

const edit: fc.Arbitrary<Edit> = fc
  .tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    byte,
    fc.constantFrom("insert", "replace", "delete"),
  )
  .map(([place, char, kind]): Edit => (text) => {
    const at = Math.floor(place * text.length);
    const kept = text.slice(kind === "insert" ? at : at + 1);
    return text.slice(0, at) + (kind === "delete" ? "" : char) + kept;
  });
