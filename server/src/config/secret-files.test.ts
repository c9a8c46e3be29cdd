import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Environment } from "./environment.ts";
import { ConfigError, parseEnvironment } from "./parse-environment.ts";

const REQUIRED = {
  SVC_EXPORT_DATABASE_URL: "postgres://svc_export:secret@db.example:5432/svc",
  SVC_PUBLIC_URL: "https://api.example.com",
};
const DATABASE_URL = "postgres://svc:secret@db.example:5432/svc";

function fileWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-secret-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "secret");
  writeFileSync(path, content);
  return path;
}

function faultsOf(environment: Record<string, string>): string[] {
  try {
    parseEnvironment(Environment, { ...REQUIRED, ...environment });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ name, problem }) => `${name} ${problem}`);
  }
}

test("line breaks at the end of a secret's file do not count, spaces do", () => {
  for (const end of ["", "\n", "\r\n", "\n\n"]) {
    const SVC_MODEL_KEY_FILE = fileWith(`key ${end}`);
    const SVC_DATABASE_URL_FILE = fileWith(`${DATABASE_URL}${end}`);
    const given = { ...REQUIRED, SVC_DATABASE_URL_FILE, SVC_MODEL_KEY_FILE };
    expect(parseEnvironment(Environment, given)).toMatchObject({
      SVC_DATABASE_URL: DATABASE_URL,
      SVC_MODEL_KEY: "key ",
    });
  }
});

test("what is wrong with a secret's file is said together with other mistakes", () => {
  expect(faultsOf({ SVC_DATABASE_URL_FILE: "/nowhere/secret", SVC_PORT: "abc" })).toEqual([
    "SVC_DATABASE_URL_FILE must name a file that this process can read (ENOENT)",
    "SVC_PORT must be a number",
  ]);
  expect(faultsOf({ SVC_DATABASE_URL_FILE: fileWith("\n") })).toEqual([
    "SVC_DATABASE_URL_FILE names a file that is empty",
  ]);
  const both = { SVC_DATABASE_URL: DATABASE_URL, SVC_DATABASE_URL_FILE: fileWith(DATABASE_URL) };
  expect(faultsOf(both)).toEqual([
    "SVC_DATABASE_URL_FILE is set, and so is SVC_DATABASE_URL: unset one of them",
  ]);
  expect(faultsOf({ SVC_DATABASE_URL_FILE: fileWith("mysql://svc@db.example/svc") })).toEqual([
    "SVC_DATABASE_URL must look like postgres://user:password@host:5432/database",
  ]);
});

test("a file is read only where its setting is", () => {
  const given = { ...REQUIRED, SVC_DATABASE_URL_FILE: "/nowhere/secret" };
  const part = Environment.pick({ SVC_PUBLIC_URL: true });
  expect(parseEnvironment(part, given)).toEqual({ SVC_PUBLIC_URL: REQUIRED.SVC_PUBLIC_URL });
});
