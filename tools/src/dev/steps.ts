import { styleText } from "node:util";
import { stdout } from "node:process";

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

  /** What the reader needs now that all is up. */
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
