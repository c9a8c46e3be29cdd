import { describe, expect, it } from "vitest";
import { AppError } from "../app-error.ts";
import { isDatabaseAway, orUnavailable } from "./db.ts";

const withCode = (code: string): Error => Object.assign(new Error("x"), { code });

describe("the database is away", () => {
  it.each([
    "08000",
    "08006",
    "25P03",
    "53100",
    "53200",
    "53300",
    "57014",
    "57P01",
    "57P02",
    "57P03",
    "58030",
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "ENOTFOUND",
    "EAI_AGAIN",
  ])("when the code is %s", (code) => {
    expect(isDatabaseAway(withCode(code))).toBe(true);
  });

  it.each(["23505", "42P01", "40001", "40P01", "42501", "22021", "ENOENT"])(
    "but not when it is %s",
    (code) => {
      expect(isDatabaseAway(withCode(code))).toBe(false);
    },
  );

  it("but not when the error is none of ours", () => {
    expect(isDatabaseAway(new Error("mail: Connection terminated"))).toBe(false);
    expect(isDatabaseAway("57P01")).toBe(false);
    expect(isDatabaseAway(undefined)).toBe(false);
  });
});

describe("orUnavailable", () => {
  it("turns it into an error that may be tried again, and keeps the cause", async () => {
    const cause = withCode("57P03");
    const error: unknown = await orUnavailable(() => Promise.reject(cause)).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "unavailable", retryable: true, cause });
  });

  it("leaves every other error and every result as it is", async () => {
    const error = new AppError("conflict", { what: "No.", why: "No.", fix: "No." });
    await expect(orUnavailable(() => Promise.reject(error))).rejects.toBe(error);
    expect(await orUnavailable(async () => 7)).toBe(7);
  });

  // P4
  it("gives up what takes longer than it may", async () => {
    await expect(orUnavailable(() => new Promise(() => {}), 20)).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(await orUnavailable(async () => 7, 20)).toBe(7);
  });
});
