import { expect, it } from "vitest";
import { temporaryRepository } from "../temporary-repository.ts";
import { dependencyTable } from "./dependency-table.ts";

function tableWith(rows: string, dependencies: Record<string, string>) {
  const files = temporaryRepository({
    "CONTRIBUTING.md": `<!-- dependencies:start -->\n| a | b | c | d |\n|---|---|---|---|\n${rows}<!-- dependencies:end -->\n`,
    "contract/package.json": JSON.stringify({ dependencies: { zod: "1.0.0" } }),
    "server/package.json": JSON.stringify({ dependencies }),
    "node_modules/zod/package.json": JSON.stringify({ license: "MIT" }),
    "node_modules/pg/package.json": JSON.stringify({ license: "ISC" }),
  });
  const check = dependencyTable(files);
  check.write!();
  return { check, rows: files.read("CONTRIBUTING.md")!.split("\n").slice(3, -2) };
}

it("keeps what is written, looks the licence up, and forgets what is gone", () => {
  const { check, rows } = tableWith(
    "| zod | ? | 1 package | schemas |\n| gone | MIT | 9 packages | once |\n",
    { "@svc/contract": "*", zod: "1.0.0" },
  );
  expect(rows).toEqual(["| zod | MIT | 1 package | schemas |"]);
  expect(check.problems()).toEqual([]);
});

it("asks why of a package that nobody has explained", () => {
  const { check, rows } = tableWith("| zod | MIT | 1 package | schemas |\n", { pg: "1.0.0" });
  expect(rows).toEqual(["| pg | ISC |  |  |", "| zod | MIT | 1 package | schemas |"]);
  expect(check.problems()).toEqual([
    "CONTRIBUTING.md does not say what pg brings along and why. Say it.",
  ]);
});
