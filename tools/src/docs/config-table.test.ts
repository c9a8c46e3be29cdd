import { expect, it } from "vitest";
import { temporaryRepository } from "../temporary-repository.ts";
import { configTable, configTableCheck } from "./config-table.ts";

const document = "docs/operate/configuration.md";
const variables = [
  { name: "SVC_PORT", default: "8080", meaning: "Where it listens" },
  { name: "SVC_DATABASE_URL", default: "required", meaning: "Where the data is" },
];

it("shows each variable with its default and meaning", () => {
  const files = temporaryRepository({
    [document]: "<!-- config-table:start -->\n<!-- config-table:end -->\n",
  });
  const check = configTable(files, () => variables);
  expect(check.problems()).toHaveLength(1);
  check.write!();
  expect(check.problems()).toEqual([]);
  expect(files.read(document)).toContain("| `SVC_PORT` | `8080` | Where it listens |\n");
  expect(files.read(document)).toContain(
    "| `SVC_DATABASE_URL` | **required** | Where the data is |\n",
  );
});

it("finds a variable that the page does not know", () => {
  const files = temporaryRepository({
    [document]: "<!-- config-table:start -->\n<!-- config-table:end -->\n",
  });
  configTable(files, () => variables.slice(1)).write!();
  expect(configTable(files, () => variables).problems()).toHaveLength(1);
});

it("asks the server itself", () => {
  expect(Number.parseInt(configTableCheck.summary(), 10)).toBeGreaterThan(10);
});
