import { judgeError } from "./judge.ts";
import type { OddRequest } from "./odd-requests.ts";
import { RawConnection } from "./raw-connection.ts";

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
