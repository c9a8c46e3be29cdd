import fc from "fast-check";
import { assertInLanes } from "../../lanes/assert-in-lanes.ts";
import { requestBytes } from "./export-request.ts";
import type { Encoded, ExportRequest } from "./export-request.ts";
import { expectedAnswer, judge } from "./judge.ts";
import type { KnownAccount } from "./known-account.ts";
import { nonsenseCredentials } from "./nonsense-credentials.ts";
import { nonsenseQueries } from "./nonsense-queries.ts";
import { RawConnection } from "./raw-answer.ts";

/** What a run of random requests needs. */
export interface RequestRun {
  url: string;
  known: KnownAccount;
  seed: number;
  total: number;
  /** It stops then, whatever it has reached. */
  timeMs: number;
  onRequest(): void;
}

/** Requests sent at once, the sound one at the end of each batch included. */
const BATCH = { most: 9, average: 5 };
/** Above 16 KB the server hangs up, and the rest of the batch with it. */
const LONGEST_REQUEST = 15_000;
const PATIENCE_MS = 15_000;

/**
 * Sends random requests, several at once down a connection that stays open, a sound one at the end
 * of each batch. Returns the smallest batch that is answered wrongly, and how.
 */
export async function checkRequests(run: RequestRun): Promise<string[]> {
  const batch = fc.tuple(
    fc.array(nonsenseRequest(run.known), { maxLength: BATCH.most - 1 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  const openLane = async () => {
    let connection = await RawConnection.open(run.url);
    return {
      async check([nonsense, cut]: [ExportRequest[], number]): Promise<void> {
        if (!connection.isOpen) connection = await RawConnection.open(run.url);
        await checkBatch(connection, run, [...nonsense, soundRequest(run.known)], cut);
      },
      close: () => connection.close(),
    };
  };
  const { seed, timeMs } = run;
  const runs = run.total / BATCH.average;
  return assertInLanes(batch, openLane, { lanes: 4, runs, seed, timeMs }).then(
    () => [],
    (error: Error) => [error.message],
  );
}

function nonsenseRequest(known: KnownAccount): fc.Arbitrary<ExportRequest> {
  return fc
    .record({
      format: fc.constantFrom("json", "csv"),
      parameters: nonsenseQueries(known),
      credentials: nonsenseCredentials(known),
      from: fc.ipV4(),
    })
    .filter((request) => requestBytes(request).length < LONGEST_REQUEST);
}

function soundRequest({ token }: KnownAccount): ExportRequest {
  return {
    format: "json",
    parameters: [{ name: plain("limit"), value: plain("3") }],
    credentials: { headers: [`Bearer ${token}`], areValid: true },
    from: "127.0.0.1",
  };
}

function plain(text: string): Encoded {
  return { raw: text, text };
}

/** The bytes go out in two parts, cut anywhere: a request may end in the middle of a packet. */
async function checkBatch(
  connection: RawConnection,
  run: RequestRun,
  batch: ExportRequest[],
  cut: number,
): Promise<void> {
  const bytes = Buffer.concat(batch.map(requestBytes));
  const cutAt = Math.floor(bytes.length * cut);
  connection.send(bytes.subarray(0, cutAt));
  await new Promise(setImmediate);
  connection.send(bytes.subarray(cutAt));
  for (const [index, request] of batch.entries()) {
    const answer = await connection.answer(PATIENCE_MS);
    run.onRequest();
    const fault =
      typeof answer === "string"
        ? `no answer, the server ${answer}`
        : judge(request, expectedAnswer(request, run.known), answer);
    if (fault === undefined) continue;
    // What comes after it on this connection belongs to this batch.
    connection.close();
    const text = requestBytes(request).toString("latin1").slice(0, 500);
    throw new Error(`request ${index + 1} of ${batch.length}: ${fault}\n${text}`);
  }
}
