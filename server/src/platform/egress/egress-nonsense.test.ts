import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { startRawReceiver } from "#testing";
import { createEgress } from "./egress.ts";

const pieces = [
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 ",
  "HTTP/1.0 ",
  "200 OK",
  "204 ",
  "102 ",
  "100 ",
  "500 ",
  "content-length: 3",
  "content-length: 0",
  "transfer-encoding: chunked",
  "connection: close",
  "x: y",
  "\r\n",
  "\r\n\r\n",
  "\n",
  "abc",
  "3\r\nabc\r\n",
  "0\r\n\r\n",
  "ffffffffffffffff\r\n",
  "\0",
  "é",
];

// W4
it("names an outcome for whatever comes back, and goes on using connections", async () => {
  let answer: string[] = [];
  let ending: "end" | "resetAndDestroy" | "none" = "end";
  const receiver = await startRawReceiver((socket) => {
    for (const piece of answer) socket.write(piece);
    if (ending !== "none") socket[ending]();
  });
  onTestFinished(receiver.close);
  const egress = createEgress({ allowPlainHttp: true, allowPrivate: true });
  onTestFinished(egress.close);
  const request = {
    url: `http://127.0.0.1:${receiver.port}/`,
    headers: {},
    body: Buffer.from("{}"),
    deadlineMs: 100,
  };

  const answers = fc.array(fc.constantFrom(...pieces), { maxLength: 12 });
  const endings = fc.constantFrom("end", "resetAndDestroy", "none");
  await fc.assert(
    fc.asyncProperty(answers, endings, async (nextAnswer, nextEnding) => {
      answer = nextAnswer;
      ending = nextEnding;
      const outcome = await egress.post(request);
      const named = outcome.kind === "failed" ? outcome.why : outcome.kind;
      expect(["answered", "bad_answer", "connection_lost", "timed_out"]).toContain(named);
    }),
    { numRuns: 300 },
  );
});
