import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { WorkerPool } from "./worker-pool.ts";

async function poolOf(source: string): Promise<WorkerPool<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "svc-pool-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "worker.mjs");
  await writeFile(file, `import { parentPort } from "node:worker_threads";\n${source}`);
  return new WorkerPool(file, 1);
}

test("what is urgent overtakes what is not", async () => {
  const pool = await poolOf(`parentPort.on("message", (job) => parentPort.postMessage(job));`);
  const done: string[] = [];
  const run = async (job: string, isUrgent: boolean): Promise<void> => {
    done.push(await pool.run(job, isUrgent));
  };
  await Promise.all([run("first", false), run("patient", false), run("urgent", true)]);
  expect(done).toEqual(["first", "urgent", "patient"]);
});

test("a job that kills its thread fails alone", async () => {
  const pool = await poolOf(`parentPort.on("message", (job) => {
    if (job === "bad") throw new Error("broken");
    parentPort.postMessage(job);
  });`);
  const jobs = ["good", "bad", "good"].map((job) => pool.run(job));
  const results = await Promise.allSettled(jobs);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});
