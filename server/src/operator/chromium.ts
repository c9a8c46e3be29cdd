import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { AppError } from "#platform";
import * as z from "zod";
import type { Option } from "./command.ts";

/** Names the browser of a command that opens one. */
export const BROWSER: Option = {
  flags: "--browser <program>",
  summary: "a Chromium or Chrome, if not the one found",
};

/** A browser of this machine, driven over its DevTools protocol. */
export interface Chromium {
  /** Opens an address. Throws where the page cannot be opened. */
  open(url: string): Promise<void>;
  /** Runs an expression on the page, whose value is awaited. */
  evaluate<T>(expression: string): Promise<T>;
  /** Both. */
  look<T>(url: string, expression: string): Promise<T>;
  /** A command of the protocol, to the page. */
  command(method: string, params: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const Answer = z.object({
  id: z.int().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});
type Result = Record<string, unknown>;

/** @param path of the browser; without it, it is looked for where the shell would look */
export async function openChromium(path?: string): Promise<Chromium> {
  const folder = await mkdtemp(join(tmpdir(), "svc-chromium-"));
  const child = await start(path === undefined ? NAMES : [path], folder);
  const send = speak(child);
  const close = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill()) await gone;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const command: Chromium["command"] = (method, params) =>
      send(method, params, sessionId as string);
    const open = async (url: string): Promise<void> => {
      const { errorText } = await command("Page.navigate", { url });
      if (typeof errorText === "string" && errorText !== "") throw new Error(errorText);
    };
    const evaluate = async <T>(expression: string): Promise<T> => {
      const { result, exceptionDetails } = await command("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails !== undefined) throw new Error("its own scripts were in the way");
      return (result as { value: T }).value;
    };
    return {
      open,
      evaluate,
      command,
      close,
      async look<T>(url: string, expression: string): Promise<T> {
        await open(url);
        return evaluate<T>(expression);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Send = (method: string, params: object, sessionId?: string) => Promise<Result>;

/** Messages end with a zero byte, in both directions. */
function speak(child: ChildProcess): Send {
  const [to, from] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  let [last, rest] = [0, ""];
  const fail = (why: string): void => {
    for (const one of waiting.values())
      one.reject(
        new AppError("unavailable", {
          what: `${child.spawnfile} cannot be used.`,
          why,
          fix: "Start it once by hand to see what it says, or name another one with --browser.",
        }),
      );
  };
  child.on("exit", (code) => fail(`It ended with ${code ?? "a signal"}.`));
  to.on("error", () => {});
  from.setEncoding("utf8").on("data", (text: string) => {
    const messages = (rest + text).split("\0");
    rest = messages.pop()!;
    for (const message of messages) {
      const { id, result, error } = Answer.parse(JSON.parse(message));
      const one = waiting.get(id ?? 0);
      waiting.delete(id ?? 0);
      if (error === undefined) one?.resolve(result ?? {});
      else one?.reject(new Error(error.message));
    }
  });
  return (method, params, sessionId) => {
    const one = Promise.withResolvers<Result>();
    waiting.set(++last, one);
    to.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    return one.promise;
  };
}

async function start(programs: string[], folder: string): Promise<ChildProcess> {
  const flags = [
    "--headless=new",
    "--remote-debugging-pipe",
    `--user-data-dir=${folder}`,
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    // It does not start for root otherwise.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ];
  for (const program of programs) {
    const child = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    const isThere = await once(child, "spawn").then(
      () => true,
      () => false,
    );
    if (isThere) return child;
  }
  await rm(folder, { recursive: true });
  throw new AppError("not_found", {
    what: "There is no browser to look with.",
    why: `${programs.join(", ")}: nothing of that name can be started.`,
    fix: "Install Chromium, or name a browser of its kind with --browser.",
  });
}
