import { setTimeout as delay } from "node:timers/promises";
import { judgeError } from "./judge.ts";
import { RawConnection } from "./raw-connection.ts";

/** The server lets go of a slow client after 10 s, and looks every 5 s. */
const LET_GO_WITHIN_MS = 20_000;
const DRIP_EVERY_MS = 400;

/** Clients that never finish their request must be let go, with a documented answer or none; what is wrong, in words. */
export async function checkSlowRequests(url: string): Promise<string[]> {
  const faults = await Promise.all(
    ["", "G", "GET /v1/sessions.json HTTP/1.1\r\nHost: x\r\nX-Drip: "].map(async (beginning) => {
      const connection = await RawConnection.open(url);
      const dripping = drip(connection, beginning);
      const answer = await connection.answer(LET_GO_WITHIN_MS);
      connection.close();
      await dripping;
      if (answer === "hung up") return undefined;
      const error = answer === "is silent" ? "is not let go" : judgeError(answer);
      return typeof error === "string"
        ? `a client that is slow after "${beginning}": ${error}`
        : undefined;
    }),
  );
  return faults.filter((fault) => fault !== undefined);
}

async function drip(connection: RawConnection, beginning: string): Promise<void> {
  connection.send(Buffer.from(beginning));
  while (connection.isOpen) {
    await delay(DRIP_EVERY_MS);
    if (beginning.length > 1) connection.send(Buffer.from("x"));
  }
}
