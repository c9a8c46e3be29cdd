import fc from "fast-check";
import { expect, it } from "vitest";
import { takeAnswer } from "./raw-answer.ts";

const first =
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\na: 2\r\nContent-Length: 5\r\n\r\nhello";
const second =
  "HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";

it("takes answers one after the other, by length and in chunks, repeated headers apart", () => {
  const one = takeAnswer(Buffer.from(first + second));
  expect(one?.answer).toMatchObject({
    status: 200,
    headers: [
      ["a", "1"],
      ["a", "2"],
      ["content-length", "5"],
    ],
  });
  expect(one?.answer.body.toString()).toBe("hello");
  const two = takeAnswer(one!.rest);
  expect([two?.answer.status, two?.answer.body.toString(), two?.rest.length]).toEqual([
    400,
    "abcde",
    0,
  ]);
});

it("waits while an answer is not whole", () => {
  for (const text of [first, second]) {
    fc.assert(
      fc.property(fc.nat(text.length - 1), (length) => {
        expect(takeAnswer(Buffer.from(text.slice(0, length)))).toBeUndefined();
      }),
    );
  }
});

it.each(["nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nbody"])(
  "does not take %j for an answer",
  (text) => {
    expect(() => takeAnswer(Buffer.from(text))).toThrow(/answer/);
  },
);
