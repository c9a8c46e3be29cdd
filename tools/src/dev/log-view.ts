import { stdout } from "node:process";
import { logLine } from "./log-line.ts";

/** The server's log in the terminal: held back until the start is over, whole if it failed. */
export class LogView {
  #held: string[] | undefined = [];

  add(line: string): void {
    if (this.#held === undefined) print(line);
    else this.#held.push(line);
  }

  /** Nobody needs what a start that went well had to say. */
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
