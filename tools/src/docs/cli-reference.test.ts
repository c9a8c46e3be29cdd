import { expect, it } from "vitest";
import { temporaryRepository } from "../temporary-repository.ts";
import { cliReference, cliReferenceCheck } from "./cli-reference.ts";

const page = "docs/reference/cli.md";
const reference = { page: "### svc doctor\n", schema: "{}\n" };

it("finds a page or a schema that is not what the commands say, and writes it again", () => {
  const files = temporaryRepository({
    [page]: reference.page,
    "docs/reference/cli-output.schema.json": "{ }\n",
  });
  const check = cliReference(files, () => reference);
  expect(check.problems()).toEqual([
    "docs/reference/cli-output.schema.json is not in step. Run `npm run generate` and commit it.",
  ]);
  check.write!();
  expect(check.problems()).toEqual([]);
  files.write(page, "### svc surgeon\n");
  expect(check.problems()).toHaveLength(1);
});

it("asks the server itself", () => {
  expect(Number.parseInt(cliReferenceCheck.summary(), 10)).toBeGreaterThan(10);
});
