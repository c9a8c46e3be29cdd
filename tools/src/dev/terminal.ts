import { stdout } from "node:process";
import { styleText } from "node:util";

const LEVELS = {
  trace: "dim",
  debug: "dim",
  info: "green",
  warn: "yellow",
  error: "red",
  fatal: "red",
} as const;

/** Longer values are shortened: the configuration alone would fill the screen. */
const MAX_CHARS = 100;

/** One line of the server's JSON log for people; what is no such line stays as it is. */
export function logLine(line: string, color: boolean): string {
  const entry = parse(line);
  if (entry === undefined) return line;
  const { level, time, msg, err, ...rest } = entry;
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const style = LEVELS[level as keyof typeof LEVELS] ?? "dim";
  const facts = Object.entries(rest).map(([name, value]) => `${name}=${inline(value)}`);
  return [
    paint("dim", clock(time)),
    paint(style, String(level).padEnd(5)),
    [typeof msg === "string" ? msg : "", ...facts.map((fact) => paint("dim", fact))]
      .join("  ")
      .trim(),
    ...errorLines(err).map((text) => `\n      ${paint("dim", text)}`),
  ]
    .join("  ")
    .replace(/ {2}\n/g, "\n");
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const entry = JSON.parse(line) as Record<string, unknown>;
    return typeof entry["level"] === "string" ? entry : undefined;
  } catch {
    return undefined;
  }
}

function clock(time: unknown): string {
  const at = new Date(String(time));
  return Number.isNaN(at.getTime()) ? "--:--:--" : at.toTimeString().slice(0, 8);
}

function inline(value: unknown): string {
  const text = typeof value === "string" && !/[\s"=]/.test(value) ? value : JSON.stringify(value);
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text;
}

/** Name, message and place; the causes below. */
function errorLines(err: unknown): string[] {
  if (typeof err !== "object" || err === null) return [];
  const { type, code, message, stack, cause } = err as Record<string, unknown>;
  const title = [type, code, message].filter((part) => typeof part === "string").join(" ");
  const place = typeof stack === "string" ? stack.split("\n").map((text) => text.trim()) : [];
  return [title, ...place.slice(0, 6), ...errorLines(cause).map((text) => `  ${text}`)];
}

/** The server's log in the terminal: held back until the start is over, whole if it failed. */
export class LogView {
  #held: string[] | undefined = [];

  add(line: string): void {
    if (this.#held === undefined) print(line);
    else this.#held.push(line);
  }

  /** The log of a start that went well is of no use to anybody. */
  showFromNow(): void {
    this.#held = undefined;
  }

  showAll(): void {
    stdout.write("\n");
    this.#held?.forEach(print);
    this.#held = undefined;
  }
}

function print(line: string): void {
  stdout.write(`${logLine(line, stdout.isTTY)}\n`);
}

const WIDTH = 12;

/** The terminal while things start: a line per step, its name first, so that one sees what takes long. */
export class Steps {
  readonly #stopRequest: AbortSignal;
  readonly #startedAt: number = performance.now();

  constructor(stopRequest: AbortSignal) {
    this.#stopRequest = stopRequest;
    stdout.write("\nSvc for development\n\n");
  }

  /** The work returns its result and what to say about it. */
  async run<T>(name: string, work: () => Promise<[result: T, words: string]>): Promise<T> {
    stdout.write(`  ${quiet(name.padEnd(WIDTH))}`);
    try {
      const [result, words] = await work();
      this.#stopRequest.throwIfAborted();
      stdout.write(words);
      return result;
    } finally {
      stdout.write("\n");
    }
  }

  /** Prints the addresses that are needed now that everything runs. */
  close(facts: [name: string, value: string][]): void {
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(1);
    const lines = facts.map(([name, value]) => `  ${name.padEnd(WIDTH)}${value}\n`);
    stdout.write(
      `\n${lines.join("")}\n  ${quiet(`Ready after ${seconds} s. ctrl-C stops it.`)}\n\n`,
    );
  }
}

function quiet(text: string): string {
  return stdout.isTTY ? styleText("dim", text) : text;
}
