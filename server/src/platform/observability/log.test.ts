import { describe, expect, it } from "vitest";
import { captureLog } from "#testing";
import { AppError } from "../app-error.ts";

const CANARY = "canary-ada@example.com";

// S12
describe("what is printed", () => {
  it.each([
    ["under pii", { pii: CANARY }],
    ["in an object under pii", { pii: { email: CANARY, deeper: { name: CANARY } } }],
    ["under pii one level down", { visitor: { pii: { email: CANARY } } }],
    ["as an authorization header", { authorization: CANARY }],
    ["as an authorization header one level down", { request: { authorization: CANARY } }],
    ["in headers", { headers: { authorization: CANARY } }],
    ["in a request's headers", { req: { headers: { authorization: CANARY } } }],
  ])("never holds what was handed over %s", (_where, fields) => {
    const { log, text } = captureLog();
    log.info(fields, "a line");
    expect(text()).toContain("a line");
    expect(text()).toContain("[redacted]");
    expect(text()).not.toContain(CANARY);
  });

  it("never holds a message, a detail or a query of PostgreSQL, which repeat the values of a row", () => {
    const { log, text } = captureLog();
    log.error({ err: databaseError() }, "failed");
    expect(text()).not.toContain(CANARY);
    expect(text()).toContain('"code":"23505"');
    expect(text()).toContain("log.test.ts");
  });

  it("never holds them when they are the cause of another error", () => {
    const { log, text } = captureLog();
    log.error(
      {
        err: new AppError(
          "unavailable",
          { what: "It is away.", why: "It is.", fix: "Try again." },
          { cause: databaseError() },
        ),
      },
      "failed",
    );
    expect(text()).toContain("Try again.");
    expect(text()).not.toContain(CANARY);
  });

  it("never holds the input that a parser repeats in its message", () => {
    const { log, text } = captureLog();
    try {
      JSON.parse(`${CANARY}{`);
    } catch (error) {
      log.error({ err: error }, "failed");
    }
    expect(text()).toContain("SyntaxError");
    expect(text()).not.toContain(CANARY.slice(0, 6));
  });

  it("never holds what was thrown when it is no error", () => {
    const { log, text } = captureLog();
    log.error({ err: CANARY }, "failed");
    log.error({ err: { email: CANARY } }, "failed");
    expect(text()).not.toContain(CANARY);
  });

  it("tells of our own errors their message, code and place", () => {
    const { log, lines } = captureLog();
    log.error(
      {
        err: new AppError("conflict", {
          what: "It failed.",
          why: "It is still going on.",
          fix: "Wait.",
        }),
      },
      "failed",
    );
    expect(lines()).toMatchObject([
      {
        level: "error",
        msg: "failed",
        err: {
          type: "AppError",
          code: "conflict",
          message: "It failed. It is still going on. Wait.",
        },
      },
    ]);
  });

  it("stays one line of JSON whatever is written into it", () => {
    const { log, text, lines } = captureLog();
    const hostile = 'a"}\n{"level":"fatal","msg":"forged"}\r\u001B[31mred\u2028\0';
    log.info({ name: hostile }, hostile);
    for (const raw of ["\n", "\r", "\u001B", "\0"]) expect(text().trimEnd()).not.toContain(raw);
    expect(lines()).toMatchObject([{ level: "info", name: hostile, msg: hostile }]);
  });
});

/** As `pg` throws it. */
function databaseError(): Error {
  return Object.assign(new Error(`duplicate key (${CANARY})`), {
    severity: "ERROR",
    code: "23505",
    detail: `Key (email)=(${CANARY}) already exists.`,
    where: `COPY line 1: "${CANARY}"`,
    query: `INSERT INTO sessions VALUES ('${CANARY}')`,
  });
}
