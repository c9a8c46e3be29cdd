import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const CLI = fileURLToPath(new URL("cli.ts", import.meta.url));

/** What `svc` complains of as a process of its own, with these settings and no others. */
async function complaint(environment: Record<string, string>, ...argv: string[]): Promise<string> {
  const child = spawn(process.execPath, [CLI, ...argv], { cwd: tmpdir(), env: environment });
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  await once(child, "close");
  return err;
}

describe.concurrent("the command line's entry", () => {
  it("asks a model without knowing a database", async () => {
    const SVC_MODEL_URL = "http://127.0.0.1:1/v1";
    const models = { SVC_MODEL_URL, SVC_EVALUATION_MODEL: "small" };
    expect(await complaint(models, "rubric", "score")).toContain("small judged no conversation.");
    const unnamed = await complaint({ SVC_MODEL_URL }, "rubric", "score");
    expect(unnamed).toContain("Error: svc does not know which model to ask.");
  }, 20_000);

  it("reads the database's address whatever else is wrong", async () => {
    const list = ["accounts", "list"];
    expect(await complaint({}, ...list)).toContain("svc does not know which database to use.");
    const garbled = {
      SVC_DATABASE_URL: "postgres://svc@127.0.0.1:1/svc",
      SVC_SECRET_KEYS: "canary",
    };
    // The keys have a mistake, and this command needs none.
    const away = await complaint(garbled, ...list);
    expect(away).toContain("Error: The database cannot be reached.");
    expect(away).not.toContain("canary");
  }, 20_000);
});
