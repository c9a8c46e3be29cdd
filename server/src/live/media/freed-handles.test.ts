import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** A process in which something throws while nothing of ours runs, and which ends with 3 if it lives on. */
async function codeAfter(message: string): Promise<number> {
  const module = new URL("freed-handles.ts", import.meta.url);
  const script = `
    const { outliveFreedHandles } = await import(${JSON.stringify(module.href)});
    outliveFreedHandles({ warn() {}, fatal() {} });
    setTimeout(() => { throw new Error(${JSON.stringify(message)}); });
    setTimeout(() => process.exit(3), 50);
  `;
  const ended = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  return ended.then(
    () => 0,
    ({ code }: { code: number }) => code,
  );
}

test("a process outlives what LiveKit frees twice, and nothing else", async () => {
  expect(await codeAfter("trying to drop an invalid handle")).toBe(3);
  expect(await codeAfter("anything else")).toBe(1);
});
