import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "#platform";
import { expect, onTestFinished, test } from "vitest";
import type { Finding } from "./check.ts";
import { checks } from "./doctor-checks.ts";
import { operatorUnderTest } from "../command-line-under-test.ts";

function examine(sdkFolder: () => string | undefined): Promise<Finding> {
  return checks.find(({ name }) => name === "sdk")!.look(operatorUnderTest({ sdkFolder }));
}

test("the doctor misses an SDK that was never built", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-sdk-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await examine(() => folder)).toMatchObject({
    state: "fail",
    says: `the SDK is not built: ${folder}/sdk.js is missing`,
    fix: expect.stringMatching(/npm run build.*SVC_SDK_DIR/),
  });
  await writeFile(join(folder, "sdk.js"), "");
  expect(await examine(() => folder)).toEqual({ state: "ok", says: `served from ${folder}` });
});

test("the doctor misses no SDK where none is served, or nobody knows where", async () => {
  expect(await examine(() => undefined)).toMatchObject({ state: "ok" });
  const unknown = examine(() => {
    throw new AppError("invalid_input", { what: "", why: "", fix: "" });
  });
  expect(await unknown).toMatchObject({ state: "skip" });
});
