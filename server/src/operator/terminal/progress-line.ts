import type { WriteStream } from "node:tty";

/** What is done sooner needs no line at all. */
const FIRST_AFTER_MS = 500;
/** How often a terminal line is redrawn, and how often a log file gets a new one. */
const REDRAW_MS = 100;
const LOG_EVERY_MS = 5_000;

/** One line that is drawn over and over in a terminal; in a file, a line every few seconds. */
export function progressLine(
  stream: Pick<WriteStream, "write" | "isTTY">,
): (done: number, total: number | undefined, what: string) => void {
  let nextMs = performance.now() + (stream.isTTY ? FIRST_AFTER_MS : LOG_EVERY_MS);
  let drawn = false;
  return (done, total, what) => {
    const ended = done === total;
    if (!ended && performance.now() < nextMs) return;
    if (ended && !drawn) return;
    nextMs = performance.now() + (stream.isTTY ? REDRAW_MS : LOG_EVERY_MS);
    drawn = !ended;
    const share = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
    const text = `${done.toLocaleString("en")}${share} ${what}`;
    stream.write(stream.isTTY ? `\r\u001b[K${text}${ended ? "\n" : ""}` : `${text}\n`);
  };
}
