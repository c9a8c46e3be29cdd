import { judgeError } from "./judge.ts";
import type { Answer } from "./raw-answer.ts";
import type { RawConnection } from "./raw-connection.ts";

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
