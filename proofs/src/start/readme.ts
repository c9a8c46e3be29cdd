import { execFile, spawn } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "@svc/tools/free-port";
import { Visitor } from "../talk/visitor.ts";
import { newShell, startDev } from "./clone.ts";

/** What each step of the README took, in its order. */
interface Followed {
  steps: [what: string, ms: number][];
  isForgedRefused: boolean;
}

/** Does what the README's section "Start" says, command by command, in a home directory with nothing in it. */
export async function followReadme(
  clone: string,
  onEnd: (clean: () => unknown) => void,
): Promise<Followed> {
  const home = join(clone, ".home");
  await mkdir(home);
  const [install, dev, init, apply, preview, add, receive] = await readCommands(clone);
  if (install !== "npm ci" || dev !== "npm run dev") throw new Error(`${install}, then ${dev}`);
  // Somebody else may have the ports of the README on this machine: others stand for them.
  const [server, page, own] = [await freePort(), await freePort(), await freePort()];
  const ports = { SVC_DEV_PORT: String(server), SVC_DEV_PAGE_PORT: String(page) };
  const env = { ...newShell(), ...ports, HOME: home };
  const steps: Followed["steps"] = [];
  const step = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const result = await act();
    steps.push([what, performance.now() - from]);
    return result;
  };
  const type = async (command: string): Promise<string> => {
    const line = command.replace(":9000", `:${own}`);
    const { stdout } = await promisify(execFile)("sh", ["-c", line], { cwd: clone, env });
    return stdout;
  };
  const talk = async (agentId: string): Promise<string> => {
    const visitor = await Visitor.enter(`http://127.0.0.1:${server}`, { agentId, language: "en" });
    await visitor.listen();
    const heard = visitor.screen.turns("assistant").length;
    await visitor.say("How do I add it to my page?");
    if (visitor.screen.turns("assistant").length <= heard) throw new Error("No answer came.");
    await visitor.end();
    visitor.leave();
    return visitor.sessionId;
  };

  const start = await step("npm run dev", async () => {
    const started = startDev(clone, [], env);
    onEnd(() => started.signal("SIGINT"));
    return started.startPage();
  });
  const text = await (await fetch(start)).text();
  await step("a talk with Linden", () => talk(found(text, /agentId: "(\w+)"/)));
  const mine = await step("an agent of one's own", async () => {
    await type(init!);
    const applied = await type(apply!);
    await fetchOk(found(await type(preview!), /(http\S+)/));
    return found(applied, /agentId: "(\w+)"/);
  });
  const stored = await step("a receiver of one's own", async () => {
    const secret = found(await type(add!), /(whsec_\S+)/);
    const command = receive!.replace("whsec_…", secret).replace("9000", String(own));
    const child = spawn("sh", ["-c", `exec env ${command}`], { cwd: clone, env });
    onEnd(() => child.kill());
    return createInterface(child.stdout)[Symbol.asyncIterator]();
  });
  await step("a talk with that agent, to its webhook", async () => {
    const sessionId = await talk(mine);
    // Sessions of the start arrive as well.
    for (;;) {
      const { value, done } = await stored.next();
      if (value === `Stored ${sessionId}`) return;
      if (done) throw new Error("The receiver ended.");
    }
  });
  const forged = { method: "POST", body: "{}", headers: { "x-webhook-signature": "0".repeat(64) } };
  const { status } = await fetch(`http://127.0.0.1:${own}/`, forged);
  return { steps, isForgedRefused: status === 401 };
}

/** The lines of the code blocks in "Start". */
async function readCommands(clone: string): Promise<string[]> {
  const readme = await readFile(join(clone, "README.md"), "utf8");
  const section = found(readme, /\n## Start\n(.*?)\n## /s);
  const commands = [...section.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block]) =>
    block!.trim().split("\n"),
  );
  if (commands.length !== 7) throw new Error(`The README has ${commands.length} commands.`);
  return commands;
}

function found(text: string, pattern: RegExp): string {
  const [, value] = pattern.exec(text) ?? [];
  if (value === undefined) throw new Error(`Nothing like ${pattern} in: ${text.slice(0, 3_000)}`);
  return value;
}

async function fetchOk(url: string): Promise<void> {
  const { status } = await fetch(url);
  if (status !== 200) throw new Error(`${url} is answered with ${status}.`);
}
